import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { type Handler } from 'express'
import { docsFiles, docsPage, docsScript } from './docs-page.ts'
import type { Headers } from './security-headers.ts'

/** Serves the docs page and its files; anything else below `/docs` is left to the next handler. */
export function serveDocs(headers: Headers): Handler {
  const { resolve } = createRequire(import.meta.url)
  const files = express.static(dirname(resolve('swagger-ui-dist/package.json')), { index: false })
  return (request, response, next) => {
    const name = request.path.slice('/docs/'.length)
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    response.set(headers)
    if (request.path === '/docs') response.type('html').send(docsPage)
    else if (request.path === '/docs/') response.redirect(301, '../docs')
    else if (name === 'start.js') response.type('text/javascript').send(docsScript)
    else if (docsFiles.has(name)) {
      request.url = `/${name}`
      files(request, response, next)
    } else next()
  }
}
