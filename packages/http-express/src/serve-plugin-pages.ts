import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Handler } from 'express'
import type { Headers } from './security-headers.ts'
import { toFileRefusal } from './to-file-refusal.ts'

/** The files of the plugin pages, by the names under which they are served. */
export const pageFiles = [
  ...['chart.html', 'chart.js', 'records.html', 'records.js'],
  ...['plugin-page.js', 'plugin-page.css'],
] as const

/** The library that draws charts: its file in the package, and the name under which it is served. */
export const drawingFile = { source: 'echarts/dist/echarts.simple.min.js', name: 'echarts.js' }

/** Where the pages lie, beside this file, in the workspace as when they are published. */
const folder = join(import.meta.dirname, 'plugin-pages')

/**
 * Serves the pages of the plugins that ship with the product; other paths below `/plugins` are left to the next
 * handler.
 */
export function servePluginPages(headers: Headers): Handler {
  const paths = new Map([
    ...pageFiles.map((name) => [`/plugins/${name}`, join(folder, name)] as const),
    [`/plugins/${drawingFile.name}`, drawingPath()],
  ])
  return (request, response, next) => {
    const file = paths.get(request.path) ?? paths.get(`${request.path}.html`)
    if (file === undefined || !['GET', 'HEAD'].includes(request.method)) return next()
    response.set(headers)
    // Where packages are kept may be a folder whose name begins with a dot.
    const options = { cacheControl: false, dotfiles: 'allow' } as const
    response.sendFile(file, options, (error) => {
      if (error) next(toFileRefusal(error, response))
    })
  }
}

/** Published, the library lies beside the pages; in the workspace it is taken from its package. */
function drawingPath(): string {
  const published = join(folder, drawingFile.name)
  if (existsSync(published)) return published
  return createRequire(import.meta.url).resolve(drawingFile.source)
}
