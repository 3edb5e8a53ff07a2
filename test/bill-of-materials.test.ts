import { expect, test } from 'vitest'
import { type Bill, withBuiltIn } from '../scripts/packaging/with-built-in.ts'

/** A bill of packages, each with those that it needs. */
function billOf(packages: Readonly<Record<string, readonly string[]>>): Bill {
  const names = Object.keys(packages)
  const toRef = (name: string) => `pkg:npm/${name}`
  return {
    components: names.map((whole) => {
      const [name = '', group] = whole.split('/').toReversed()
      return { 'bom-ref': toRef(whole), name, ...(group !== undefined && { group }) }
    }),
    dependencies: names.map((name) => ({
      ref: toRef(name),
      dependsOn: (packages[name] ?? []).map(toRef),
    })),
  }
}

const whole = billOf({
  app: ['pg'],
  pg: [],
  inverter: ['@inverter/core', 'pg'],
  '@inverter/core': ['inverter'],
  linter: [],
})

test('a bill has what is built in, with all that it needs, and each package once', () => {
  const bill = withBuiltIn(billOf({ app: ['pg'], pg: [] }), whole, ['inverter', 'pg'])
  const refs = ['app', 'pg', 'inverter', '@inverter/core'].map((name) => `pkg:npm/${name}`)
  expect(bill.components.map((component) => component['bom-ref'])).toEqual(refs)
  expect(bill.dependencies.map(({ ref }) => ref)).toEqual(refs)
})

test('a bill tells of what is built in and was not found', () => {
  expect(() => withBuiltIn(whole, whole, ['core'])).toThrow('no core')
  expect(withBuiltIn(whole, whole, ['@inverter/core'])).toEqual(whole)
})
