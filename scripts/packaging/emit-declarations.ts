import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './workspace-package.ts'

/** Has the compiler write the declarations of all packages below the folder, one for each source. Types are not checked here. */
export function emitDeclarations(folder: string): void {
  const compiler = join(root, 'node_modules/.bin/tsc')
  execFileSync(compiler, ['-p', join(root, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
