import { expect, it } from 'vitest'
import type { Cell } from '../../fields/cell.ts'
import { isSameCell } from './is-same-cell.ts'

it('[RECORD-22] is the same, whatever the order of its members', () => {
  const pairs: [Cell | null, Cell | null][] = [
    [null, null],
    ['a', 'a'],
    [
      [1, null],
      [1, null],
    ] as never,
    [
      [{ id: 'a', title: 'b' }, { id: 'c' }],
      [{ title: 'b', id: 'a' }, { id: 'c' }],
    ],
    [{ count: 1 }, { count: 1 }],
  ]
  for (const [a, b] of pairs) expect(isSameCell(a, b)).toBe(true)
})

it('[RECORD-22] is another one where anything differs', () => {
  const cells = [
    null,
    '1',
    1,
    true,
    [],
    {},
    [1],
    ['1'],
    [1, null],
    [null, 1],
    { id: 'a' },
    [{ id: 'a' }],
    { id: 'a', title: 'b' },
    { id: 'a', name: 'b' },
    { 0: 1 },
  ] as (Cell | null)[]
  cells.forEach((a, index) => {
    const same = cells.flatMap((b, other) => (isSameCell(a, b) ? [other] : []))
    expect(same).toEqual([index])
  })
})
