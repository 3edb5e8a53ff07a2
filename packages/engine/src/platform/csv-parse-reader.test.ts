import type { CsvRow } from '@gateleg/domain/imports/csv-reader'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { CsvParseReader } from './csv-parse-reader.ts'

/** The rows of a file that comes all at once, in the lists in which they are handed out. */
async function rowsOf(text: string) {
  return rowsOfParts([new TextEncoder().encode(text)])
}

/** The same of one that comes in parts; those that were handed out before it was refused go to the list. */
async function rowsOfParts(parts: readonly Uint8Array[], seen: (readonly CsvRow[])[] = []) {
  async function* content() {
    yield* parts
  }
  const { rows } = await new CsvParseReader().open(content(), {})
  for await (const some of rows) seen.push(some)
  return seen
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

test.each([
  ['U+0000 before \\xff', [0, 0xff], 'has the character U+0000'],
  ['\\xff', [0xff], 'the file is not utf-8'],
  ['U+0000', [0], 'has the character U+0000'],
])(
  '[IMPORT-4] what comes before %s is handed out, and its line told, however the file is divided',
  async (_name, bad, message) => {
    const good = new TextEncoder().encode('Name\r\r\nü,\ufffd\n"x\r\ny",語\n')
    const file = Uint8Array.from([...good, 0x61, ...bad, 0x0a])
    for (const size of [1, 2, 3, 5, 1_000]) {
      const seen: (readonly CsvRow[])[] = []
      const parts = Array.from({ length: Math.ceil(file.length / size) }, (_, index) =>
        file.subarray(index * size, (index + 1) * size),
      )
      await expect(rowsOfParts(parts, seen)).rejects.toThrow(`line 6: ${message}`)
      expect(seen.flat().map(({ cells }) => cells)).toEqual([
        ['Name'],
        ['ü', '\ufffd'],
        ['x\r\ny', '語'],
      ])
    }
  },
)

test('[IMPORT-4] the rows before a byte that is no text are there at once, however large its part is', async () => {
  const part = new TextEncoder().encode('abc\n'.repeat(1_000_000))
  part[part.length - 2] = 0xff
  const seen: (readonly CsvRow[])[] = []
  await expect(rowsOfParts([part], seen)).rejects.toThrow('line 1000000: the file is not utf-8')
  expect(seen.flat()).toHaveLength(999_999)
})
