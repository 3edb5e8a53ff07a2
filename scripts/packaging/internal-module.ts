/** A file's name below `src`, and the text of its declaration. */
export interface Declared {
  readonly file: string
  readonly declaration: string
}

/**
 * The text of a package's entry `internal`, which exports all that the files do. Throws when two of them export
 * one name, because then neither would be exported.
 */
export function internalModule(files: readonly Declared[], ending: '.ts' | '.js'): string {
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
  return files.map(({ file }) => `export * from './${file}${ending}'\n`).join('')
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
