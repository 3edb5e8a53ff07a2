import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import express, { type Handler } from 'express'
import type { Headers } from '../security-headers.ts'
import { toFileRefusal } from '../to-file-refusal.ts'
import { docsFiles, docsPage, docsScript } from './docs-page.ts'

/** Serves the docs page and its files; other paths below `/docs` are left to the next handler. */
export function serveDocs(headers: Headers): Handler {
  const files = express.static(docsFolder(), { index: false })
  return (request, response, next) => {
    const { path } = request
    const name = path.slice('/docs/'.length)
    const isOurs = path === '/docs' || (path.startsWith('/docs/') && isServed(name))
    if (!isOurs || !['GET', 'HEAD'].includes(request.method)) return next()
    // What is left to the next handler gets none of them.
    response.set(headers)
    if (path === '/docs') response.type('html').send(docsPage)
    else if (name === '') response.redirect(301, '../docs')
    else if (name === scriptName) response.type('text/javascript').send(docsScript)
    else {
      request.url = `/${name}`
      files(request, response, (error?: unknown) => next(error && toFileRefusal(error, response)))
    }
  }
}

const scriptName = 'start.js'

function isServed(name: string): boolean {
  return name === '' || name === scriptName || docsFiles.has(name)
}

/**
 * Where the page's files are: published, they lie beside this one, because the package that they come from reports
 * each of its installs to a third party. In the workspace, where it may not, they are taken from it.
 */
function docsFolder(): string {
  const published = join(import.meta.dirname, 'swagger-ui')
  if (existsSync(published)) return published
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}
