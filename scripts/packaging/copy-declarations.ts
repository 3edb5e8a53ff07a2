import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { publishedSpecifier, withSpecifiers } from './published-specifier.ts'
import { root, type WorkspacePackage } from './workspace-package.ts'

/**
 * Writes the declarations that the package's exports lead to, and no others, to its `dist`, with imports as
 * they are once it is published. `emitted` has those of the package's sources, `written` the texts of entries of which there
 * is no source, by their names.
 */
export function copyDeclarations(
  ofPackage: WorkspacePackage,
  packages: readonly WorkspacePackage[],
  late: ReadonlySet<string>,
  { emitted, written }: { readonly emitted: string; readonly written: ReadonlyMap<string, string> },
): void {
  const dist = join(root, ofPackage.folder, 'dist')
  const pending = [...ofPackage.subpaths.values()]
  const done = new Set<string>()
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (done.has(file)) continue
    done.add(file)
    const text = written.get(file) ?? readFileSync(join(emitted, `${file}.d.ts`), 'utf8')
    const folder = dirname(file)
    const own = withSpecifiers(text, (specifier) => {
      if (!specifier.startsWith('.')) {
        return publishedSpecifier(packages, specifier, late) ?? specifier
      }
      const withoutEnding = specifier.replace(/\.[jt]s$/, '')
      pending.push(normalize(join(folder, withoutEnding)))
      return `${withoutEnding}.js`
    })
    const target = join(dist, `${file}.d.ts`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, own)
  }
}
