# The same on Alpine: one library does for glibc and musl.
FROM mcr.microsoft.com/dotnet/sdk:10.0-alpine AS test
ADD ilcov-*-linux-x64.tar.gz /opt/
RUN ln -s /opt/ilcov-*/bin/ilcov /usr/local/bin/ilcov
WORKDIR /src
COPY . .
RUN dotnet build
RUN ilcov run -f cobertura=/coverage/coverage.cobertura.xml -f html=/coverage/html -f files -- dotnet test --no-build

FROM scratch AS report
COPY --from=test /coverage /
