import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleSources } from './bundle-sources.ts'
import { copyDeclarations } from './copy-declarations.ts'
import { copyDocsFiles } from './copy-docs-files.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { internalModule } from './internal-module.ts'
import { internalFiles, specifiersOf } from './published-specifier.ts'
import { root, workspacePackages } from './workspace-package.ts'

/**
 * Writes what is published of every package to its `dist`: JavaScript, source maps and declarations. Nothing of
 * the workspace needs them; `pnpm pack` does.
 */
export async function buildPackages(): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'gateleg-build-'))
  try {
    emitDeclarations(declarations)
    const packages = workspacePackages()
    const specifiers = importsBetween(packages.map(({ folder }) => join(declarations, folder)))
    for (const each of packages) {
      rmSync(join(root, each.folder, 'dist'), { recursive: true, force: true })
      const emitted = join(declarations, each.folder, 'src')
      const files = internalFiles(each, specifiers).map((file) => ({
        file,
        declaration: readFileSync(join(emitted, `${file}.d.ts`), 'utf8'),
      }))
      await bundleSources(each, packages, internalModule(files, '.ts'))
      copyDeclarations(each, packages, { emitted, internalText: internalModule(files, '.js') })
    }
    copyDocsFiles()
  } finally {
    rmSync(declarations, { recursive: true })
  }
}

/** What the sources and the declarations of all packages import; tests are none of them. */
function importsBetween(declared: readonly string[]): ReadonlySet<string> {
  const sources = globSync(join(root, 'packages/*/src/**/*.ts')).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const files = [...sources, ...declared.flatMap((folder) => globSync(join(folder, '**/*.d.ts')))]
  return new Set(files.flatMap((file) => specifiersOf(readFileSync(file, 'utf8'))))
}
