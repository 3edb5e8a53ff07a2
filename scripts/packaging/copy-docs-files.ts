import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { docsFiles } from '@gateleg/http-express/pages/docs-page'
import { root } from './workspace-package.ts'

/** What its licence asks for, by the names that the copies get: a second LICENSE would hide the package's own. */
const notices = {
  LICENSE: 'swagger-ui.LICENSE',
  NOTICE: 'swagger-ui.NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
}

/** Copies the files of the page at `/docs` to where the package that is built to `dist` looks for them. */
export function copyDocsFiles(dist: string): void {
  const folder = join(root, 'packages/http-express')
  const { resolve } = createRequire(join(folder, 'package.json'))
  const from = dirname(resolve('swagger-ui-dist/package.json'))
  const to = join(dist, 'swagger-ui')
  mkdirSync(to, { recursive: true })
  for (const name of docsFiles) copyFileSync(join(from, name), join(to, name))
  for (const [name, copy] of Object.entries(notices)) copyFileSync(join(from, name), join(to, copy))
}
