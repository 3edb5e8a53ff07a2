import type { CsvRow } from '@gateleg/domain/imports/csv-reader'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { CsvParseReader } from './csv-parse-reader.ts'

/** The rows of a file that comes all at once, in the lists in which they are handed out. */
async function rowsOf(text: string) {
  async function* content() {
    yield new TextEncoder().encode(text)
  }
  const { rows } = await new CsvParseReader().open(content(), {})
  const lists: (readonly CsvRow[])[] = []
  for await (const some of rows) lists.push(some)
  return lists
}

test('[IMPORT-13] no more rows are made in one go than stand in 4,096 characters', async () => {
  expect(limits.importTurnLength).toBe(4_096)
  const lists = await rowsOf('abc\n'.repeat(16_000))
  expect(lists.flat()).toHaveLength(16_000)
  for (const rows of lists) expect(rows.length).toBeLessThanOrEqual(1_025)
})

test('[IMPORT-13] a character that stands at the end of such a part stays whole', async () => {
  await withLimits({ importTurnLength: 3 }, async () => {
    const lists = await rowsOf('ab😀,c\r\n"x\r\n😀",d\r\n')
    expect(lists.flat()).toEqual([
      { line: 1, cells: ['ab😀', 'c'] },
      { line: 2, cells: ['x\r\n😀', 'd'] },
    ])
  })
})

test.each(['\n', '\r\n', '\r'])(
  '[IMPORT-4] [IMPORT-7] rows are told by the lines in which they begin, with the line breaks %j',
  async (end) => {
    const lists = await rowsOf(
      ['a', `"x${end}y","z${end}"`, 'b', '', `"c${end}"`, 'd', ''].join(end),
    )
    expect(lists.flat().map(({ line }) => line)).toEqual([1, 2, 5, 7, 9])
    const unclosed = rowsOf(['a', `"x${end}y"`, 'b', '"c'].join(end))
    await expect(unclosed).rejects.toThrow('line 5: a quote is opened and never closed')
    const inside = rowsOf(['a', `"x${end}y"`, 'b"c', 'd'].join(end))
    await expect(inside).rejects.toThrow('line 4: a cell that does not begin with a quote')
    const behind = rowsOf(['a', `b,"x${end}y${end}z${end}"c,1`].join(end))
    const line = end === '\n' ? 5 : 2
    await expect(behind).rejects.toThrow(`line ${line}: a closing quote is not at the end`)
  },
)
