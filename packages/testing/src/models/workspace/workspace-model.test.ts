import { expect, test } from 'vitest'
import type { ModelFormula } from '../values/model-formula.ts'
import { expectLinks, fromOtherSide, writeLinks } from './model-links.ts'
import type { Relationship } from './model-relationship.ts'
import { ModelSnapshot } from './model-snapshot.ts'
import {
  type LinkContent,
  type ModelContent,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  newModelRecord,
  WorkspaceModel,
} from './workspace-model.ts'

/** Two tables with a name and an amount, and a link from the one to the other that both show. */
function openShop(relationship: Relationship) {
  const model = new WorkspaceModel()
  const add = (table: ModelTable, name: string, content: ModelContent) =>
    model.addField(table, { id: `${table.name}.${name}`, name, content })
  const newTable = (name: string) => {
    const table = model.addTable({ id: name, baseId: 'bse', name })
    add(table, 'Name', { kind: 'text' })
    add(table, 'Amount', { kind: 'number', precision: 2 })
    return table
  }
  const orders = newTable('Orders')
  const goods = newTable('Goods')
  const end = (foreign: ModelTable, from: Relationship): LinkContent => ({
    kind: 'link',
    relationship: from,
    foreign,
    isOneWay: false,
    symmetric: undefined,
    titles: undefined,
  })
  const there = end(goods, relationship)
  const back = end(orders, fromOtherSide(relationship))
  const link = add(orders, 'Goods', there)
  const other = add(goods, 'Orders', back)
  Object.assign(there, { symmetric: other })
  Object.assign(back, { symmetric: link })
  const record = (table: ModelTable, name: string, amount?: number): ModelRecord => {
    const [nameField, amountField] = table.fields as [ModelField, ModelField]
    const made = newModelRecord(table, name, [[nameField, name]])
    if (amount !== undefined) made.cells.set(amountField, amount)
    table.records.push(made)
    return made
  }
  return { model, add, record, orders, goods, link, other }
}

const read = (field: ModelField, ...records: readonly ModelRecord[]) => {
  const snapshot = new ModelSnapshot()
  return records.map((record) => snapshot.cell(field, record))
}

test('both ends of a link show it, new links last', () => {
  const { record, orders, goods, link, other } = openShop('manyMany')
  const [one, two] = [record(orders, 'one'), record(orders, 'two')]
  const [tea, milk] = [record(goods, 'tea'), record(goods, 'milk')]
  writeLinks(link, new Map([[two, [tea]]]))
  writeLinks(
    link,
    new Map([
      [one, [milk, tea]],
      [two, [milk, tea]],
    ]),
  )
  const item = (title: string) => ({ id: title, title })
  expect(read(link, one, two)).toEqual([
    [item('milk'), item('tea')],
    [item('milk'), item('tea')],
  ])
  expect(read(other, tea, milk)).toEqual([
    [item('two'), item('one')],
    [item('one'), item('two')],
  ])
})

test.each([
  ['oneOne', 'validation_error'],
  ['oneMany', 'validation_error'],
  ['manyOne', 'done'],
  ['manyMany', 'done'],
] as const)('a second link of a record through %s is %s', (relationship, expected) => {
  const { record, orders, goods, link } = openShop(relationship)
  const [one, two, tea] = [record(orders, 'one'), record(orders, 'two'), record(goods, 'tea')]
  writeLinks(link, new Map([[one, [tea]]]))
  expect(expectLinks(link, new Map([[two, [tea]]]))).toBe(expected)
  expect(expectLinks(link, new Map([[one, [tea]]]))).toBe('done')
})

test('lookups leave out what is empty, rollups count it', () => {
  const { add, record, orders, goods, link } = openShop('manyMany')
  const source = goods.fields[1] as ModelField
  const lookup = add(orders, 'Amounts', { kind: 'lookup', link, source })
  const all = add(orders, 'All', { kind: 'rollup', link, source, summary: 'countall' })
  const sum = add(orders, 'Sum', { kind: 'rollup', link, source, summary: 'sum' })
  const joined = add(orders, 'Joined', { kind: 'rollup', link, source, summary: 'array_join' })
  const [one, none] = [record(orders, 'one'), record(orders, 'none')]
  const links = [record(goods, 'tea', 2), record(goods, 'milk'), record(goods, 'egg', 0.5)]
  writeLinks(link, new Map([[one, links]]))
  expect([lookup, all, sum, joined].map((field) => read(field, one, none))).toEqual([
    [[2, 0.5], null],
    [3, 0],
    [2.5, 0],
    ['2, 0.5', null],
  ])
})

test('what refers to a field that is gone has an error, what depends on that does not', () => {
  const { model, add, record, orders, goods, link } = openShop('manyOne')
  const source = goods.fields[1] as ModelField
  const lookup = add(orders, 'Amount of it', { kind: 'lookup', link, source })
  const doubled: ModelFormula<ModelField> = {
    kind: 'operation',
    operator: '+',
    left: { kind: 'field', field: lookup },
    right: { kind: 'value', value: 1 },
  }
  const formula = add(orders, 'More', { kind: 'formula', formula: doubled })
  const one = record(orders, 'one')
  writeLinks(link, new Map([[one, [record(goods, 'tea', 2)]]]))
  expect(read(formula, one)).toEqual([3])
  lookup.lastType = new ModelSnapshot().type(lookup)
  model.removeField(source)
  const snapshot = new ModelSnapshot()
  expect([lookup, formula].map((field) => snapshot.hasError(field))).toEqual([true, false])
  expect([...read(lookup, one), ...read(formula, one)]).toEqual([null, 1])
})

test('what a lookup with an error showed stays, whatever becomes of its source', () => {
  const { model, add, orders, goods, link } = openShop('manyOne')
  const source = goods.fields[0] as ModelField
  const lookup = add(orders, 'Name of it', { kind: 'lookup', link, source })
  lookup.lastShown = new ModelSnapshot().shown(lookup)
  model.removeField(link)
  source.content = { kind: 'number', precision: 0 }
  const snapshot = new ModelSnapshot()
  expect(snapshot.shown(lookup).kind).toBe('text')
  expect(snapshot.shownBy({ kind: 'lookup', link, source: lookup }).kind).toBe('text')
})

test('a link goes with its other end, and with its records', () => {
  const { model, record, orders, goods, link, other } = openShop('oneMany')
  const [one, tea, milk] = [record(orders, 'one'), record(goods, 'tea'), record(goods, 'milk')]
  writeLinks(link, new Map([[one, [tea, milk]]]))
  model.removeRecords([tea])
  expect(read(link, one)).toEqual([[{ id: 'milk', title: 'milk' }]])
  model.removeField(other)
  expect([orders, goods].flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual([
    'Name',
    'Amount',
    'Name',
    'Amount',
  ])
})
