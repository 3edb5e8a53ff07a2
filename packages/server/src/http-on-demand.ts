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
 * Creates an app that serves the engine, and that any Express app can mount: `/api`, `/health`, `/openapi.json`, `/docs`
 * and `/plugins`. Throws a TypeError for an invalid engine, options, public URL or trusted proxies.
 */
export const createHttpApp: Http['createHttpApp'] = (engine, options) =>
  loadHttp().createHttpApp(engine, options)

/** Listens with the limits of the service. Rejects when the port is in use, or an option is unknown. */
export const listen: Http['listen'] = (options) => loadHttp().listen(options)
