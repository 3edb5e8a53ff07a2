import { dirname, join } from 'node:path'
import { importedValues, specifiersAtOnce } from './imported-values.ts'
import type { WorkspacePackage } from './workspace-package.ts'

/** What is loaded until an engine is open. */
export interface Opening {
  /** Of the sources those that are: `packages/domain/src/errors.ts`. */
  readonly files: ReadonlySet<string>
  /** What other sources import, and none of those files does: `@gateleg/domain/tree/tree`. */
  readonly lateSpecifiers: ReadonlySet<string>
}

/**
 * Finds what is loaded until an engine is open: the opening files of the packages, what they import, and what that does.
 * `sources` has all texts by their paths from the root. Files that the build evaluates are published without what they
 * import.
 */
export function findOpening(
  packages: readonly WorkspacePackage[],
  sources: ReadonlyMap<string, string>,
): Opening {
  const beginnings = packages.flatMap((each) => filesOf(each, each.opening))
  const { files, specifiers } = loadedWith(beginnings, packages, sources)
  const all = [...sources.values()].flatMap((text) => importedValues(text))
  const late = all.map(({ specifier }) => specifier).filter((each) => !specifiers.has(each))
  return { files, lateSpecifiers: new Set(late) }
}

/** The files that are loaded at once with some of them, these included, and what they import that is in other packages. */
export function loadedWith(
  beginnings: Iterable<string>,
  packages: readonly WorkspacePackage[],
  sources: ReadonlyMap<string, string>,
): { readonly files: ReadonlySet<string>; readonly specifiers: ReadonlySet<string> } {
  const evaluated = new Set(packages.flatMap((each) => filesOf(each, each.evaluated)))
  const files = new Set(beginnings)
  const specifiers = new Set<string>()
  for (const file of files) {
    const text = sources.get(file)
    if (text === undefined) throw new Error(`${file} is loaded to open an engine, and isn't there`)
    if (evaluated.has(file)) continue
    for (const specifier of specifiersAtOnce(text)) {
      if (!specifier.startsWith('.')) specifiers.add(specifier)
      const imported = fileBehind(packages, file, specifier)
      if (imported !== undefined) files.add(imported)
    }
  }
  return { files, specifiers }
}

/** The source that the import leads to; undefined where it leaves the workspace. */
function fileBehind(
  packages: readonly WorkspacePackage[],
  importer: string,
  specifier: string,
): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const owner = packages.find(({ name }) => `${specifier}/`.startsWith(`${name}/`))
  if (!owner) return undefined
  const subpath = `.${specifier.slice(owner.name.length)}`
  const [file = ''] = filesOf(owner, [owner.subpaths.get(subpath) ?? subpath])
  return file
}

/** The sources of these names below `src`, as paths from the root. */
export function filesOf({ folder }: WorkspacePackage, names: Iterable<string>): readonly string[] {
  return [...names].map((name) => join(folder, 'src', `${name}.ts`))
}
