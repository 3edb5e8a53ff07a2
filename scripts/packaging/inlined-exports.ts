import { importedValues } from './imported-values.ts'
import type { WorkspacePackage } from './workspace-package.ts'

/**
 * What an entry of a package exports of those packages of others that are inlined in it and that it has, so that there is
 * one copy of them: all that the sources of the other packages import of them, and of a namespace the members that they name.
 * Declarations import them by their own names.
 */
export function inlinedExports(
  { inlined, namespaces }: WorkspacePackage,
  others: Iterable<string>,
  has: (specifier: string) => boolean,
): string {
  const texts = [...others]
  const imported = texts.flatMap((text) => importedValues(text))
  return [...inlined]
    .filter(has)
    .map((specifier) => {
      const names = new Set(
        imported.flatMap((value) => (value.specifier === specifier ? value.name : [])),
      )
      return [...names]
        .toSorted()
        .map((name) =>
          namespaces.has(name)
            ? partOfNamespace(name, specifier, membersOf(name, texts))
            : `export { ${name} } from '${specifier}'\n`,
        )
        .join('')
    })
    .join('')
}

/** Exports an object of these members alone: with the whole namespace, all that is in it would be loaded. */
function partOfNamespace(name: string, specifier: string, members: readonly string[]): string {
  const all = `all_of_${name}`
  const copied = members.map((member) => `${member}: ${all}.${member}`).join(', ')
  return `import { ${name} as ${all} } from '${specifier}'\nexport const ${name} = { ${copied} }\n`
}

/** The members of a namespace that are called, or asked whether something is one of them. Others are types. */
function membersOf(name: string, texts: readonly string[]): readonly string[] {
  const used = new RegExp(`(?<=instanceof ${name}\\.)\\w+|(?<=\\b${name}\\.)\\w+(?=\\()`, 'g')
  return [...new Set(texts.flatMap((text) => text.match(used) ?? []))].toSorted()
}
