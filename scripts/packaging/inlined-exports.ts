import type { WorkspacePackage } from './workspace-package.ts'

/**
 * What a package's entry `internal` exports of the packages of others that are inlined in it, so that there is one copy
 * of them: all that the sources of the other packages import of them. Declarations import them by their own names.
 */
export function inlinedExports({ inlined }: WorkspacePackage, others: Iterable<string>): string {
  const texts = [...others]
  return [...inlined]
    .map((specifier) => {
      const names = new Set(texts.flatMap((text) => importedNames(text, specifier)))
      return names.size === 0
        ? ''
        : `export { ${[...names].toSorted().join(', ')} } from '${specifier}'\n`
    })
    .join('')
}

/** The names that are imported of the specifier, but for types. */
function importedNames(text: string, specifier: string): readonly string[] {
  const imports = text.matchAll(new RegExp(`^import \\{([^}]*)\\} from '${specifier}'`, 'gm'))
  return [...imports].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.replace(/ as .*/, '')),
  )
}
