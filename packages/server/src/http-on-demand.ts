import { createRequire } from 'node:module'

type Http = typeof import('@gateleg/http-express')

/**
 * Loaded where it is first called: Express and all that goes with it take as long as the rest of a start, and a
 * program that serves nothing needs none of it. By `require`, which answers at once, the same module as `import`
 * would give.
 */
function loadHttp(): Http {
  return createRequire(import.meta.url)('@gateleg/http-express')
}

/**
 * An app that serves the engine: `/api`, `/health`, `/openapi.json` and `/docs`; any Express app mounts it. Throws a
 * TypeError for an engine, a public URL or trusted proxies that are none.
 */
export const createHttpApp: Http['createHttpApp'] = (engine, options) =>
  loadHttp().createHttpApp(engine, options)

/** Serves an app with the limits of the service; rejects when the port is taken, or an option is none. */
export const listen: Http['listen'] = (options) => loadHttp().listen(options)
