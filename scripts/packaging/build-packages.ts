import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePackages, sourceTexts } from './bundle-packages.ts'
import { copyDeclarations } from './copy-declarations.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { internalDeclarations } from './internal-module.ts'
import { internalFiles, specifiersOf } from './published-specifier.ts'
import { root, type WorkspacePackage, workspacePackages } from './workspace-package.ts'

/**
 * Writes what is published of every package to its `dist`: JavaScript, source maps and declarations. Nothing of
 * the workspace needs them; `pnpm pack` does.
 */
export async function buildPackages(): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'gateleg-build-'))
  try {
    emitDeclarations(declarations)
    const packages = workspacePackages()
    const distOf = ({ folder }: WorkspacePackage) => join(root, folder, 'dist')
    for (const each of packages) rmSync(distOf(each), { recursive: true, force: true })
    await bundlePackages(packages, distOf)
    const declared = globSync(join(declarations, 'packages/*/src/**/*.d.ts')).map((file) =>
      readFileSync(file, 'utf8'),
    )
    const specifiers = new Set([...sourceTexts(['*']), ...declared].flatMap(specifiersOf))
    for (const each of packages) {
      const emitted = join(declarations, each.folder, 'src')
      const files = internalFiles(each, specifiers).map((file) => ({
        file,
        declaration: readFileSync(join(emitted, `${file}.d.ts`), 'utf8'),
      }))
      copyDeclarations(each, packages, { emitted, internalText: internalDeclarations(files) })
    }
  } finally {
    rmSync(declarations, { recursive: true })
  }
}
