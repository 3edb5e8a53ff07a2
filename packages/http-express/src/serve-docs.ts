import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { DomainError } from '@gateleg/domain/errors'
import express, { type Handler, type Response } from 'express'
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
      files(request, response, (error?: unknown) => next(error && toRefusal(error, response)))
    } else next()
  }
}

/** What the file server couldn't meet, as an error for callers. Takes back what it said of the file. */
function toRefusal(error: unknown, response: Response): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  const refusal =
    status === 416
      ? new DomainError('range_not_satisfiable', 'The file has no bytes in the range')
      : status === 412
        ? new DomainError('precondition_failed', 'The file is not the one that the condition names')
        : undefined
  if (!refusal) return error
  for (const name of ['Accept-Ranges', 'ETag', 'Last-Modified']) response.removeHeader(name)
  return refusal
}
