import type { CellChange } from '@gateleg/domain/history/history-entry'
import { expect, test } from 'vitest'
import { ChangesWriter, readChanges } from './stored-changes.ts'

const text: CellChange = {
  ...{ fieldId: 'fld1', name: 'Name', type: 'singleLineText', cellValueType: 'string' },
  ...{ before: null, after: 'long', cut: ['after'] },
}
const list: CellChange = {
  ...{ fieldId: 'fld2', name: 'Tags', type: 'multipleSelect', cellValueType: 'string' },
  ...{ before: ['a'], after: ['a', 'b'] },
}

const writeChanges = (changes: readonly CellChange[]) => new ChangesWriter().write(changes)

test('[STORE-191] changes come back as they were stored', () => {
  expect(readChanges(writeChanges([text, list]))).toEqual([text, list])
  expect(readChanges(writeChanges([]))).toEqual([])
  const placed = [
    { ...text, index: 3 },
    { ...list, index: 7 },
  ]
  expect(readChanges(writeChanges(placed))).toEqual(placed)
})

test('[STORE-191] changes that earlier versions stored are read as those of this one', () => {
  expect(readChanges(JSON.stringify([text, list]))).toEqual([text, list])
})

test('[STORE-191] the names of members are not stored with each change', () => {
  expect(writeChanges([list])).toBe('[["fld2","Tags","multipleSelect","string",["a"],["a","b"]]]')
})

test('[STORE-191] what a field is by now is written of each change, whatever was written before', () => {
  const writer = new ChangesWriter()
  const others = [
    { ...text, name: 'Other "name"' },
    { ...text, type: 'longText' as const },
    { ...text, cellValueType: 'number' as const },
    { ...text, before: 1.5, after: true },
    { ...text, before: 1e21, after: -0.1 },
    text,
  ]
  for (const change of [text, ...others]) {
    const written = writer.write([list, change])
    expect(readChanges(written)).toEqual([list, change])
  }
})
