# Tests with coverage in a stage of their own, on Debian: `docker build --target report --output coverage .` leaves the reports in
# ./coverage. Put ilcov-VERSION-linux-x64.tar.gz, which `make dist` makes, beside the solution.
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS test
ADD ilcov-*-linux-x64.tar.gz /opt/
RUN ln -s /opt/ilcov-*/bin/ilcov /usr/local/bin/ilcov
WORKDIR /src
COPY . .
RUN dotnet build
# The status of the tests ends the build; the reports of failed tests are in the log as a table.
RUN ilcov run -f cobertura=/coverage/coverage.cobertura.xml -f html=/coverage/html -f files -- dotnet test --no-build

FROM scratch AS report
COPY --from=test /coverage /
