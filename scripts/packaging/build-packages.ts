import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { bundleSources } from './bundle-sources.ts'
import { copyDeclarations } from './copy-declarations.ts'
import { copyDocsFiles } from './copy-docs-files.ts'
import { copyPluginPages } from './copy-plugin-pages.ts'
import { emitDeclarations } from './emit-declarations.ts'
import { inlinedExports } from './inlined-exports.ts'
import { internalDeclarations, internalSource } from './internal-module.ts'
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
    const sources = textsOf(sourcesIn('*'))
    const declared = textsOf(globSync(join(declarations, 'packages/*/src/**/*.d.ts')))
    const specifiers = new Set([...sources, ...declared].flatMap(specifiersOf))
    for (const each of packages) {
      rmSync(join(root, each.folder, 'dist'), { recursive: true, force: true })
      const emitted = join(declarations, each.folder, 'src')
      const files = internalFiles(each, specifiers).map((file) => ({
        file,
        declaration: readFileSync(join(emitted, `${file}.d.ts`), 'utf8'),
      }))
      const others = packages.filter((other) => other !== each)
      const texts = textsOf(others.flatMap(({ folder }) => sourcesIn(basename(folder))))
      const internalText = internalSource(each, texts) + inlinedExports(each, texts)
      await bundleSources(each, packages, internalText)
      copyDeclarations(each, packages, { emitted, internalText: internalDeclarations(files) })
    }
    copyDocsFiles()
    copyPluginPages()
  } finally {
    rmSync(declarations, { recursive: true })
  }
}

/** The sources of the packages in these folders; tests are none of them. */
function sourcesIn(folders: string): readonly string[] {
  const files = globSync(join(root, 'packages', folders, 'src/**/*.ts'))
  return files.filter((file) => !file.endsWith('.test.ts'))
}

function textsOf(files: readonly string[]): readonly string[] {
  return files.map((file) => readFileSync(file, 'utf8'))
}
