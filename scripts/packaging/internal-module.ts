import { importedValues } from './imported-values.ts'
import { internalFiles } from './published-specifier.ts'
import type { WorkspacePackage } from './workspace-package.ts'

/** A file's name below `src`, and the text of its declaration. */
export interface Declared {
  readonly file: string
  readonly declaration: string
}

/**
 * The text of a package's entry `internal`, or `internal-late`: the values that these sources of the other packages import of
 * those of its files that the entry has. What is exported is loaded wherever the entry is, with all that it needs.
 */
export function internalSource(
  ofPackage: WorkspacePackage,
  others: Iterable<string>,
  has: (specifier: string) => boolean,
): string {
  const namesByFile = new Map<string, Set<string>>()
  for (const { specifier, name } of [...others].flatMap((text) => importedValues(text))) {
    if (!has(specifier)) continue
    for (const file of internalFiles(ofPackage, [specifier])) {
      namesByFile.set(file, (namesByFile.get(file) ?? new Set()).add(name))
    }
  }
  return [...namesByFile]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, names]) =>
      names.has('*')
        ? `export * from './${file}.ts'\n`
        : `export { ${[...names].toSorted().join(', ')} } from './${file}.ts'\n`,
    )
    .join('')
}

/**
 * The declarations of such an entry: all of these files. Throws when two of them export one name, because then neither would
 * be exported.
 */
export function internalDeclarations(files: readonly Declared[]): string {
  const fileOf = new Map<string, string>()
  for (const { file, declaration } of files) {
    for (const name of exportedNames(declaration)) {
      const other = fileOf.get(name)
      if (other !== undefined && other !== file) {
        throw new Error(`${other} and ${file} both export ${name}: give one of them another name`)
      }
      fileOf.set(name, file)
    }
  }
  return files.map(({ file }) => `export * from './${file}.js'\n`).join('')
}

function exportedNames(declaration: string): readonly string[] {
  const declared = declaration.matchAll(
    /^export (?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|enum) (\w+)/gm,
  )
  const listed = [...declaration.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
    ([, names = '']) => names.split(',').flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? []),
  )
  return [...declared].map(([, name = '']) => name).concat(listed)
}
