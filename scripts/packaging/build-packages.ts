import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePackages } from './bundle-packages.ts'
import { copyDeclarations } from './copy-declarations.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { internalDeclarations } from './internal-module.ts'
import { readPublication } from './publication.ts'
import { entryOf, internalFiles, specifiersOf } from './published-specifier.ts'
import { internalEntry, lateEntry, root, type WorkspacePackage } from './workspace-package.ts'

/**
 * Writes what is published of every package to its `dist`: JavaScript, source maps and declarations. Nothing of
 * the workspace needs them; `pnpm pack` does.
 */
export async function buildPackages(): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'gateleg-build-'))
  try {
    emitDeclarations(declarations)
    const publication = readPublication()
    const { packages, sources, opening } = publication
    const late = opening.lateSpecifiers
    const distOf = ({ folder }: WorkspacePackage) => join(root, folder, 'dist')
    for (const each of packages) rmSync(distOf(each), { recursive: true, force: true })
    await bundlePackages(publication, distOf)
    const declared = globSync(join(declarations, 'packages/*/src/**/*.d.ts')).map(readText)
    const specifiers = new Set([...sources.values(), ...declared].flatMap(specifiersOf))
    for (const each of packages) {
      const emitted = join(declarations, each.folder, 'src')
      const declarationOf = (file: string) => readText(join(emitted, `${file}.d.ts`))
      const written = new Map(
        [internalEntry, lateEntry].map((entry) => {
          const of = [...specifiers].filter((one) => entryOf(each, one, late) === entry)
          const files = internalFiles(each, of)
          const texts = files.map((file) => ({ file, declaration: declarationOf(file) }))
          return [entry, internalDeclarations(texts)]
        }),
      )
      copyDeclarations(each, packages, late, { emitted, written })
    }
  } finally {
    rmSync(declarations, { recursive: true })
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}
