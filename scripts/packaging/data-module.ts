import { isDeepStrictEqual } from 'node:util'

/** A module's text that exports these values. Throws for one that isn't data: JSON could not say it. */
export function dataModule(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => {
      const text = JSON.stringify(value)
      if (text === undefined || !isDeepStrictEqual(JSON.parse(text), value)) {
        throw new Error(`${name} can't be published as data`)
      }
      return `export const ${name} = ${text}\n`
    })
    .join('')
}
