import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { drawingFile, pageFiles } from '@gateleg/http-express/serve-plugin-pages'
import { root } from './workspace-package.ts'

/** Copies the pages of the plugins that ship, with the library that draws, to where the package that is built to `dist` looks for them. */
export function copyPluginPages(dist: string): void {
  const folder = join(root, 'packages/http-express')
  const to = join(dist, 'plugin-pages')
  mkdirSync(to, { recursive: true })
  for (const name of pageFiles) copyFileSync(join(folder, 'src/plugin-pages', name), join(to, name))
  const { resolve } = createRequire(join(folder, 'package.json'))
  copyFileSync(resolve(drawingFile.source), join(to, drawingFile.name))
  // What its licence asks for, under names that hide nothing of the package's own.
  const library = dirname(resolve('echarts/package.json'))
  for (const name of ['LICENSE', 'NOTICE']) {
    copyFileSync(join(library, name), join(to, `echarts.${name}`))
  }
}
