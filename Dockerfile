# A node of Varve. Build: docker build -t varve .   Run: see docker-compose.yml
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -q -B -DskipTests -pl server -am package

# A JDK, not a JRE: Chronicle Map asks for the Java compiler when it is loaded.
FROM eclipse-temurin:17-jdk
RUN useradd --system --home-dir /data --create-home --shell /usr/sbin/nologin varve
COPY --from=build /src/server/target/varve.jar /opt/varve/varve.jar
USER varve
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["java", "-XX:+UseG1GC", "-XX:MaxRAMPercentage=25", "-XX:+ExitOnOutOfMemoryError", "-Dfile.encoding=UTF-8", "-jar", "/opt/varve/varve.jar"]
CMD ["help"]
