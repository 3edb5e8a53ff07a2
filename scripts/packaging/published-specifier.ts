import { internalEntry, lateEntry, type WorkspacePackage } from './workspace-package.ts'

/**
 * What an import of another package of the workspace says once that is published. In the workspace, packages
 * import each other's files; published, what isn't among the exports is had from the entry `internal`, or from
 * `internal-late` where no engine needs it to open. Answers undefined for what is no package of the workspace; throws for
 * what can't be had.
 */
export function publishedSpecifier(
  packages: readonly WorkspacePackage[],
  specifier: string,
  late: ReadonlySet<string>,
): string | undefined {
  const imported = packageOf(packages, specifier)
  if (!imported) return undefined
  if (imported.subpaths.has(subpathOf(imported, specifier))) return specifier
  const entry = entryOf(imported, specifier, late)
  if (imported.subpaths.has(`./${entry}`)) return `${imported.name}/${entry}`
  throw new Error(`${specifier} is not among what ${imported.name} exports`)
}

/** Which entry is for such an import of the package's files, or of a package that is inlined in it. */
export function entryOf(
  { subpaths }: WorkspacePackage,
  specifier: string,
  late: ReadonlySet<string>,
): string {
  return late.has(specifier) && subpaths.has(`./${lateEntry}`) ? lateEntry : internalEntry
}

/** The files of the package, below `src` and without their ending, that such imports reach. */
export function internalFiles(
  ofPackage: WorkspacePackage,
  specifiers: Iterable<string>,
): readonly string[] {
  const files = [...specifiers]
    .filter((specifier) => packageOf([ofPackage], specifier))
    .map((specifier) => subpathOf(ofPackage, specifier))
    .filter((subpath) => !ofPackage.subpaths.has(subpath))
    .map((subpath) => subpath.slice('./'.length))
  return [...new Set(files)].toSorted()
}

/** The specifiers of all imports in a source or declaration. */
export function specifiersOf(text: string): readonly string[] {
  return [...text.matchAll(importPattern)].map(([, , specifier = '']) => specifier)
}

/** The text with other specifiers in its imports. */
export function withSpecifiers(text: string, change: (specifier: string) => string): string {
  return text.replace(
    importPattern,
    (_, before: string, specifier: string, quote: string) =>
      `${before}${change(specifier)}${quote}`,
  )
}

/** Statements with `from`, those for effects alone, and `import('…')`. */
const importPattern = /((?:\bfrom |^import |\bimport\()['"])([^'"]+)(['"])/gm

function packageOf(packages: readonly WorkspacePackage[], specifier: string) {
  return packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
}

function subpathOf({ name }: WorkspacePackage, specifier: string): string {
  return `.${specifier.slice(name.length)}`
}
