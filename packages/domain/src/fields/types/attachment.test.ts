import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { type Cell, Refusal } from '../cell.ts'
import { attachment } from './attachment.ts'

const people = knownPeople({})
const rules = cellRules(attachment)
const sent = { name: 'a.png', token: 'tok1' }
const stored = {
  id: 'act1',
  ...sent,
  path: 'files/tok1',
  size: 12,
  mimetype: 'image/png',
  width: 3,
  height: 4,
}

describe('attachments', () => {
  it('[FIELD-160] are objects with the name and token of a file, and perhaps an id', () => {
    expect(rules.parse([sent, { ...sent, id: 'actZ9' }])).toEqual([sent, { ...sent, id: 'actZ9' }])
    expect(rules.parse([])).toBeNull()
    for (const wrong of [
      sent,
      ['act1'],
      [null],
      [{ name: 'a.png' }],
      [{ ...sent, name: '' }],
      [{ ...sent, token: 'a\0' }],
      [{ ...sent, id: 'rec1' }],
      [{ ...sent, id: null }],
      [{ ...sent, id: `act${'x'.repeat(33)}` }],
      [sent, {}],
    ]) {
      expect(rules.parse(wrong)).toBeInstanceOf(Refusal)
    }
  })

  it('[FIELD-160] are a thousand at most', () => {
    const many = Array.from({ length: 1_001 }, () => sent)
    expect(rules.parse(many)).toBeInstanceOf(Refusal)
    expect(rules.parse(many.slice(1))).toHaveLength(1_000)
  })

  it('[FIELD-161] keep what is stored of a file', () => {
    expect(rules.parse([stored])).toEqual([stored])
  })

  it('[FIELD-161] drop what is no part of a file', () => {
    const answered = { ...stored, presignedUrl: 'https://x', smThumbnailUrl: 'https://y' }
    expect(rules.parse([answered])).toEqual([stored])
    const odd = { ...sent, path: 'a\0', size: -1, mimetype: 1, width: '3', height: 1.5 }
    expect(rules.parse([odd])).toEqual([sent])
  })

  it('[FIELD-162] are taken from a list as far as they are files, or from one object', () => {
    const cast = (value: unknown) => rules.cast(value, { people })
    expect(cast([{ name: 'x' }, stored, 'act1', null])).toEqual([stored])
    expect(cast(sent)).toEqual([sent])
    for (const value of ['act1, act2', 7, [], [['act1']], { name: 'x' }]) {
      expect(cast(value)).toBeNull()
    }
    expect(cast(Array.from({ length: 1_001 }, () => sent))).toHaveLength(1_000)
  })

  it('[FIELD-162] are named by their ids among those that the cell has', () => {
    const held = ['a', 'b', 'c'].map((name) => ({ ...stored, id: `act${name}`, name }))
    const [a, b, c] = held
    const cast = (value: unknown) => rules.cast(value, { people, held })
    expect(cast('actb, acta')).toEqual([b, a])
    expect(cast('actb,none')).toEqual([b])
    expect(
      cast([
        'actc',
        { id: 'acta' },
        sent,
        { id: 7 },
        { id: { toString: 1 } },
        { id: ['actb'] },
        null,
      ]),
    ).toEqual([c, a, sent])
    expect(cast('none')).toBeNull()
    expect(cast('a (tok1)')).toBeNull()
  })

  it('[FIELD-163] are shown as names with tokens', () => {
    const cell = [stored, { ...stored, name: 'b', token: 'tok2' }]
    expect(rules.format(cell, people)).toBe('a.png (tok1),b (tok2)')
  })

  it('[FIELD-164] sort by name and are read by formulas as names', () => {
    const [a, b] = [stored, { ...stored, name: 'B' }]
    const cells = [[b], [a, b], [a]]
    const sorted = cells.toSorted((x: Cell, y: Cell) => rules.compare(x, y, people))
    expect(sorted).toEqual([[a], [a, b], [b]])
    expect(rules.toFormula?.([a, b], people)).toEqual(['a.png', 'B'])
  })
})
