# A service whose counters are kept in a volume while it runs, as a user that is not root, on a root file system that is read-only:
#
#   docker run --read-only --tmpfs /tmp -v counters:/counters IMAGE
#   docker run --rm -v counters:/counters -v "$PWD:/out" --entrypoint sh IMAGE -c 'ilcov collect -r /src -d /out/run.ilcov /counters/ilcov-*'
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS build
WORKDIR /src
COPY . .
RUN dotnet publish src/Server --output /app

FROM mcr.microsoft.com/dotnet/aspnet:10.0
ADD ilcov-*-linux-x64.tar.gz /opt/
RUN ln -s /opt/ilcov-*/bin/ilcov /usr/local/bin/ilcov && mkdir -m 700 /counters && chown app /counters
COPY --from=build /src /src
COPY --from=build /app /app
USER app
VOLUME /counters
# Collected from outside, even after the container was killed.
ENTRYPOINT ["/bin/sh", "-c", "eval \"$(ilcov env --session-dir /counters)\" && exec dotnet /app/Server.dll"]
