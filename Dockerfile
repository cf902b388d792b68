# The server with its built site, and the operator's commands:
# docker compose exec app1 ./waitlist counts
# The base has the Node that package.json names. A build without the public registry names its own.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs ./scripts/
RUN node scripts/setup.mjs
COPY . .
RUN node scripts/build.ts

FROM ${NODE_IMAGE}
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs ./scripts/
RUN node scripts/setup.mjs --omit=dev && npm cache clean --force
COPY brand ./brand
COPY contract ./contract
COPY server ./server
COPY scripts ./scripts
COPY waitlist ./
COPY --from=build /app/dist ./dist
ARG COMMIT=unknown
RUN echo "$COMMIT" > .commit
RUN install -d -o node -g node -m 700 /data /backups
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data BACKUP_DIR=/backups
# Compiled code of the last start, kept where nobody else can write.
ENV NODE_COMPILE_CACHE=/data/compiled
USER node
VOLUME ["/data", "/backups"]
EXPOSE 3000
# Liveness, not readiness: restarting this container does not bring a database back.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "-e", \
    "fetch('http://127.0.0.1:3000/healthz').then(({ ok }) => { if (!ok) process.exit(1) })"]
CMD ["node", "server/main.ts"]
