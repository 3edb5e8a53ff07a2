import { expect, test } from 'vitest'
import { renameAll } from './rename-all.ts'

const original = 'tblAAAAAAAAAAAAAAAA'
const copy = 'tblBBBBBBBBBBBBBBBB'
const rename = (kept: unknown) => renameAll(kept, new Map([[original, copy]]))

test('[BOARD-16] [FLOW-7] names copies after whatever ends the word before', () => {
  for (const before of ['', ' ', '\n', '\t', '\r', '\f', '\b', '\v', '\u0001', '"', '\\', '_']) {
    const text = (id: string) => `${before}${id}${before}`
    expect(rename(text(original)), JSON.stringify(before)).toBe(text(copy))
  }
})

test('[BOARD-16] names copies in lists, in objects and in the names of members', () => {
  const kept = (id: string) => ({ [id]: [{ [`${id}_sum`]: id, n: null, more: [1, true] }] })
  expect(rename(kept(original))).toEqual(kept(copy))
})

test('[BOARD-16] leaves what is a part of a longer word, and other ids', () => {
  const kept = [`n${original}`, `${original}n`, 'tblCCCCCCCCCCCCCCCC', 12, null]
  expect(rename(kept)).toEqual(kept)
})
