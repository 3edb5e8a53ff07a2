import { listAllRecords } from '@gateleg/testing/observations/list-all-records'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('imports of files', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const importTable = (content: unknown, more: object = {}) =>
    world.api.imports.importTable({ baseId: world.baseId, content, ...more } as never)
  const importInto = (tableId: string, content: unknown, more: object = {}) =>
    world.api.imports.importRecords({ baseId: world.baseId, tableId, content, ...more } as never)
  const analyze = async (content: unknown, more: object = {}) => {
    const found = await world.api.imports.analyzeFile({ content, ...more } as never)
    return { ...found, columns: Object.values(found.worksheets)[0]?.columns }
  }
  const rowsOf = async (tableId: string, cellFormat: 'json' | 'text' = 'json') =>
    (await listAllRecords(world.api, { tableId, cellFormat, take: 2_000 })).map((one) => one.fields)
  const statusOf = (importId: string) =>
    world.api.imports.getImport({ baseId: world.baseId, importId })
  async function* inPieces(text: string | Uint8Array, size: number) {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const tableNames = async () =>
    (await world.api.tables.listTables({ baseId: world.baseId })).map(({ name }) => name)

  test('[IMPORT-1] makes a table of a file, its fields by what the columns hold', async () => {
    const content = [
      'Name,Count,Share,Done,Day,At,Kind,Notes,Code,',
      ...Array.from({ length: 10 }, (_, n) =>
        [
          ...[`n${n}`, n, `${n}.5%`, n % 2 === 0, '2026-01-09', '2026-01-09T10:00'],
          ...[n % 2 ? 'a' : 'b', `"line\n${n}"`, `00${n}`, ''],
        ].join(','),
      ),
      '',
    ].join('\r\n')
    const { table, ...made } = await importTable(content, { name: 'Made' })
    expect(made).toMatchObject({
      state: 'done',
      rowsRead: 10,
      rowsCreated: 10,
      rowsLeftOut: 0,
      issues: [],
    })
    const fields = await world.api.fields.listFields({ tableId: made.tableId })
    expect(fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'Name: singleLineText',
      'Count: number',
      'Share: number',
      'Done: checkbox',
      'Day: date',
      'At: date',
      'Kind: singleSelect',
      'Notes: longText',
      'Code: singleLineText',
      'Column 10: singleLineText',
    ])
    expect((await rowsOf(made.tableId, 'text'))[3]).toEqual({
      Name: 'n3',
      Count: '3',
      Share: '3.5%',
      Day: '2026-01-09',
      At: '2026-01-09 10:00',
      Kind: 'a',
      Notes: 'line\n3',
      Code: '003',
    })
    expect(await statusOf(made.id)).toEqual(made)
    const { baseId } = world
    const found = await world.api.tables.getTable({ baseId, tableId: made.tableId })
    expect({ ...table, version: found.version }).toEqual(found)
    const node = (await world.api.tree.listNodes({ baseId: world.baseId })).at(-1)
    expect(node?.resourceId).toBe(made.tableId)
  })

  test('[IMPORT-1] guesses by the first rows alone what the columns hold', async () => {
    expect(limits.importSampleRows).toBe(1_000)
    const content = 'Name,Count\na,1\nb,2\nc,three\n'
    const typesOf = async (rows: number) => {
      const made = await withLimits({ importSampleRows: rows }, () => importTable(content))
      const fields = await world.api.fields.listFields({ tableId: made.tableId })
      expect(made).toMatchObject({ rowsCreated: 3, cellsEmptied: rows < 3 ? 1 : 0 })
      return fields.map(({ type }) => type)
    }
    expect(await typesOf(2)).toEqual(['singleLineText', 'number'])
    expect(await typesOf(3)).toEqual(['singleLineText', 'singleLineText'])
  })

  test('[IMPORT-2] says what columns seem to hold, and keeps nothing', async () => {
    const before = await tableNames()
    const found = await analyze('a;a;;"b\nc"\n1;x;2026-01-01;\n2,5;y;;\n')
    expect(found).toMatchObject({ encoding: 'utf-8', delimiter: ';', rowsRead: 2 })
    expect(found.columns).toEqual([
      { name: 'a', type: 'singleLineText' },
      { name: 'a 2', type: 'singleLineText' },
      { name: 'Column 3', type: 'date' },
      { name: 'b c', type: 'singleLineText' },
    ])
    expect((await analyze('1,2\n3,4\n', { excludeFirstRow: false })).columns).toEqual([
      { name: 'Column 1', type: 'number' },
      { name: 'Column 2', type: 'number' },
    ])
    expect(await tableNames()).toEqual(before)
  })

  test('[IMPORT-2] [IMPORT-4] reads no more of a file than it takes', async () => {
    let parts = 0
    async function* endless(first: string, row: string) {
      yield new TextEncoder().encode(first)
      for (; parts < 1_000; parts++) yield new TextEncoder().encode(row)
    }
    await withLimits({ importLengthAtOnce: 1_000_000 }, async () => {
      const commas = `${','.repeat(99_990)}\n`
      const found = await analyze(endless('a,b\n', commas))
      expect(found).toMatchObject({ columns: [{ name: 'a' }, { name: 'b' }], rowsRead: 4 })
      expect(parts).toBeLessThan(20)
      await expect(analyze(commas)).rejects.toThrow(
        'content: line 1: has 99991 columns; a table has 500 at most',
      )
    })
  })

  test.each([
    [',', 'a,"b;c",d\n1,2,3\n'],
    [';', 'a;"b,c,d,e";d\n1;2;3\n'],
    ['\t', 'a\tb\tc,\n1\t2\t3\n'],
    ['|', 'a|b|c\n1|2|3\n'],
    [',', 'alone\n1\n'],
  ])('[IMPORT-3] tells that %j separates the cells', async (delimiter, content) => {
    expect((await analyze(content)).delimiter).toBe(delimiter)
  })

  test.each([
    ['utf-8', Buffer.from('\ufeffNäme\né😀\n')],
    ['utf-8', Buffer.from('Näme\né😀\n')],
    ['utf-16le', Buffer.from('\ufeffNäme\né😀\n', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffNäme\né😀\n', 'utf16le').swap16()],
  ])('[IMPORT-3] reads %s, whatever the pieces that it comes in', async (encoding, bytes) => {
    for (const size of [1, 3, 1_000]) {
      const { tableId } = await importTable(inPieces(bytes, size), { name: 'Encoded' })
      expect(await rowsOf(tableId)).toEqual([{ Näme: 'é😀' }])
    }
    expect((await analyze(bytes)).encoding).toBe(encoding)
  })

  test('[IMPORT-3] reads windows-1252 where that is said', async () => {
    const bytes = Buffer.from('Name\nBl\xfcte \x80\n', 'latin1')
    const { tableId } = await importTable(bytes, { encoding: 'windows-1252' })
    expect(await rowsOf(tableId)).toEqual([{ Name: 'Blüte €' }])
    await expect(importTable(bytes)).rejects.toThrow(
      'content: line 2: the file is not utf-8: name its encoding by the parameter encoding, such as windows-1252',
    )
  })

  test.each([
    [
      'a quote that never ends',
      'a,b\n1,2\n"3,4\n5,6\n',
      'line 3: a quote is opened and never closed',
    ],
    ['a quote within a cell', 'a\nx"y"\n', 'line 2: a cell that does not begin with a quote'],
    ['text after a quote', 'a\n1\n"x"y\n', 'line 3: a closing quote is not at the end'],
    ['U+0000', 'a\nb\nx\0y\n', 'line 3: has the character U+0000'],
    ['UTF-16 without a mark', Buffer.from('a\nb\n', 'utf16le'), 'line 1: has the character U+0000'],
    [
      'too many columns',
      `${'x,'.repeat(9_999)}x\n`,
      'line 1: has 10000 columns; a table has 500 at most',
    ],
    [
      'a cell without an end',
      `a\n"${'x'.repeat(3_000_000)}`,
      'line 2: a row has more than 1048576 bytes of UTF-8',
    ],
    [
      'a row without an end',
      `a\n${'x,'.repeat(2_000_000)}`,
      'line 2: a row has more than 1048576 bytes of UTF-8',
    ],
    ['nothing', '', 'must have a row: the file is empty'],
    ['empty lines alone', '\n\n\r\n', 'must have a row: the file is empty'],
    ['half of a character', Buffer.from([0x61, 0x0a, 0xc3]), 'line 2: the file is not utf-8'],
  ])('[IMPORT-4] refuses %s with its line, and imports nothing', async (_, content, message) => {
    const before = await tableNames()
    await expect(importTable(content)).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(`content: ${message}`),
    })
    const table = await world.makeNames('Kept', 'x')
    await expect(importInto(table.id, content)).rejects.toMatchObject({ code: 'validation_error' })
    expect(await rowsOf(table.id)).toHaveLength(1)
    expect((await tableNames()).filter((name) => !name.startsWith('Kept'))).toEqual(
      before.filter((name) => !name.startsWith('Kept')),
    )
  })

  test('[IMPORT-4] imports the rows before an error where that is asked for', async () => {
    const content = 'Name\na\nb\n"c\n'
    const { tableId, ...made } = await importTable(content, { partial: true })
    expect(await rowsOf(tableId)).toEqual([{ Name: 'a' }, { Name: 'b' }])
    expect(made).toMatchObject({ rowsRead: 2, rowsCreated: 2 })
    expect(made.issues[0]?.message).toContain('line 4: a quote is opened and never closed')
  })

  test('[IMPORT-5] refuses a file of too many bytes', async () => {
    await withLimits({ importBytes: 10 }, async () => {
      await expect(importTable('a\n1234567\n')).resolves.toMatchObject({ rowsCreated: 1 })
      await expect(importTable('a\n12345678\n')).rejects.toMatchObject({
        code: 'payload_too_large',
      })
    })
  })

  test('[IMPORT-6] makes records of rows in a table, by the names of its fields', async () => {
    const table = await world.makeNames('Into', 'first')
    await world.addField(table, {
      type: 'formula',
      name: 'Twice',
      options: { expression: '{Count} * 2' },
    })
    const done = await importInto(table.id, 'Count,Twice,Name\n5,99,second\n,,third\n')
    expect(done).toMatchObject({ tableId: table.id, state: 'done', rowsCreated: 2, issues: [] })
    expect(await rowsOf(table.id)).toEqual([
      { Name: 'first', Count: 1, Twice: 2 },
      { Name: 'second', Count: 5, Twice: 10 },
      { Name: 'third', Twice: 0 },
    ])
    await expect(importInto(table.id, 'Name,None,Name\nx,y,z\n')).rejects.toMatchObject({
      code: 'validation_error',
      data: {
        issues: [
          {
            path: ['content', 'None'],
            message: expect.stringContaining('in the sourceColumnMap of a call'),
          },
          { path: ['content', 'Name'], message: expect.stringContaining('only one column') },
        ],
      },
    })
    await expect(importInto(table.id, 'Twice\n1\n')).rejects.toThrow(
      'must have a column that can be written',
    )
  })

  test('[IMPORT-6] makes records of rows by a map of columns', async () => {
    const table = await world.makeNames('Mapped')
    const count = await world.fieldOf(table, 'Count')
    const sourceColumnMap = { [table.primaryId]: 1, [count.id]: null }
    await importInto(table.id, 'x,y\n1,2\n', { sourceColumnMap, excludeFirstRow: false })
    expect(await rowsOf(table.id)).toEqual([{ Name: 'y' }, { Name: '2' }])
    const refused = (map: object) =>
      importInto(table.id, 'x,y\n1,2\n', { sourceColumnMap: map }).catch(({ message }) => message)
    expect(await refused({ fldNone: 0 })).toContain(
      'sourceColumnMap.fldNone: must be the id of a field',
    )
    expect(await refused({ [count.id]: 2 })).toContain('must be the position of one')
    expect(await refused({ [count.id]: 1, [table.primaryId]: 1 })).toContain(
      'is not the source of another field',
    )
    expect(await refused({})).toContain('sourceColumnMap: must name a field')
  })

  test('[IMPORT-12] refuses columns that don’t fit before the whole file has come', async () => {
    const table = await world.makeNames('Early')
    let sent = 0
    async function* endless(header: string) {
      yield new TextEncoder().encode(`${header}\n`)
      for (sent = 0; sent < 500; sent++) yield new TextEncoder().encode('x,y\n'.repeat(500))
    }
    for (const refuse of [
      () => importInto(table.id, endless('Name,None')),
      () => importInto(table.id, endless('Name,None'), { partial: true }),
      () => importInto(table.id, endless('a,b'), { sourceColumnMap: { [table.primaryId]: 2 } }),
      () => importTable(endless('a,b'), { columns: [{ type: 'number' }] }),
    ]) {
      await expect(refuse()).rejects.toMatchObject({ code: 'validation_error' })
      expect(sent).toBeLessThan(250)
    }
    expect(await rowsOf(table.id)).toEqual([])
  })

  test('[IMPORT-7] leaves out rows that the table refuses, and tells which', async () => {
    const table = await world.makeTable(
      'Strict',
      [
        { type: 'singleLineText', name: 'Key', unique: true },
        { type: 'number', name: 'Count', notNull: true },
        { type: 'date', name: 'Day' },
      ],
      [{ Key: 'old', Count: 1 }],
    )
    const rows = [
      'Key,Count,Day',
      'a,1,x',
      'a,2,',
      'old,3,',
      '"b',
      '",,',
      'c,4,2026-01-01,more',
      'd,5,',
    ]
    const done = await importInto(table.id, rows.join('\n'))
    expect(done).toMatchObject({ rowsRead: 6, rowsCreated: 2, rowsLeftOut: 4, cellsEmptied: 1 })
    expect((await rowsOf(table.id)).map(({ Key }) => Key)).toEqual(['old', 'a', 'd'])
    expect(done.issues).toEqual([
      { line: 2, field: 'Day', message: "can't be read as date: the cell is empty" },
      { line: 3, field: 'Key', message: 'must be unique: the request has the value twice' },
      { line: 4, field: 'Key', message: 'must be unique: another record has this value' },
      { line: 5, field: 'Count', message: 'must not be empty' },
      { line: 7, message: 'has 4 cells, while the first row has 3' },
    ])
  })

  test('[IMPORT-7] tells of a file that was not read to its end behind what is wrong with its rows', async () => {
    const table = await world.makeNames('Partly')
    const content = 'Name,Count\na,x\nb,y\nc,1\nd,"1"x\n'
    const done = await importInto(table.id, content, { partial: true })
    expect(done.issues.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(done.issues.at(-1)?.message).toMatch(/^the rows after this line were not read: line 5: /)
  })

  test('[IMPORT-7] adds choices, and refuses rows that name too many', async () => {
    const table = await world.makeTable(
      'Choosing',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'singleSelect', name: 'One', options: { choices: [{ name: 'a' }] } },
      ],
      [],
    )
    await withLimits(
      { choicesPerSelect: 3, rowsPerImportPiece: 2, importRowsAtOnce: 1 },
      async () => {
        const content = 'Name,One\n1,a\n2,b\n3,c\n4,d\n5,b\n6,c\n'
        const { id } = await importInto(table.id, content)
        await world.finishJobs()
        expect(await statusOf(id)).toMatchObject({
          state: 'done',
          rowsCreated: 5,
          rowsLeftOut: 1,
          issues: [{ line: 5 }],
        })
        expect(await world.cellsOf(table, 'One')).toEqual(['a', 'b', 'c', 'b', 'c'])
      },
    )
  })

  test.each([
    ['at once', 1_000],
    ['in the background', 1],
  ])(
    '[IMPORT-7] tells the first issues of a file that is imported %s, and counts all',
    async (_, importRowsAtOnce) => {
      expect(limits.importIssues).toBe(100)
      const table = await world.makeNames('Telling')
      const lowered = { importIssues: 3, rowsPerImportPiece: 2, importRowsAtOnce }
      await withLimits(lowered, async () => {
        for (const [wrong, counts] of [
          ['x', { rowsCreated: 5, rowsLeftOut: 0, cellsEmptied: 4 }],
          ['1,more', { rowsCreated: 1, rowsLeftOut: 4, cellsEmptied: 0 }],
        ] as const) {
          const rows = [`a,${wrong}`, 'b,2', `c,${wrong}`, `d,${wrong}`, `e,${wrong}`]
          const { id } = await importInto(table.id, `Name,Count\n${rows.join('\n')}\n`)
          await world.finishJobs()
          const done = await statusOf(id)
          expect(done).toMatchObject({ state: 'done', rowsRead: 5, ...counts })
          expect(done.issues.map(({ line }) => line)).toEqual([2, 4, 5])
        }
      })
    },
  )

  test('[IMPORT-8] goes on in the background with a long file, and neither loses nor repeats a row', async () => {
    await withLimits({ importRowsAtOnce: 5, rowsPerImportPiece: 4 }, async () => {
      const all = Array.from({ length: 30 }, (_, n) => ({ Name: `n${n}`, Count: n }))
      const content = `Name,Count\n${all.map(({ Name, Count }) => `${Name},${Count}`).join('\n')}\n`
      const made = await importTable(inPieces(content, 7), { name: 'Long' })
      expect(made).toMatchObject({
        state: 'running',
        rowsRead: 30,
        rowsCreated: 0,
        finishedTime: null,
      })
      expect(await rowsOf(made.tableId)).toEqual([])
      while ((await statusOf(made.id)).rowsCreated === 0) await world.runJob()
      const { state, rowsCreated } = await statusOf(made.id)
      expect([state, rowsCreated, (await rowsOf(made.tableId)).length]).toEqual(['running', 4, 4])
      await world.finishJobs()
      const done = await statusOf(made.id)
      expect(done).toMatchObject({ state: 'done', rowsRead: 30, rowsCreated: 30, issues: [] })
      expect(done.finishedTime).not.toBeNull()
      expect(await rowsOf(made.tableId)).toEqual(all)
      expect(await world.engine.store.write((tx) => tx.imports.nextPiece(made.id))).toBeUndefined()
    })
  })

  test('[IMPORT-8] ends where the table is gone, or its maker may write no more', async () => {
    await withLimits({ importRowsAtOnce: 1 }, async () => {
      const made = await importTable('Name\na\nb\n')
      const { baseId } = world
      await world.api.tables.deleteTable({ baseId, tableId: made.tableId })
      await world.finishJobs()
      expect(await statusOf(made.id)).toMatchObject({
        state: 'failed',
        rowsCreated: 0,
        issues: [{ line: 0, message: expect.stringContaining('the table was deleted') }],
      })
    })
  })

  test('[IMPORT-10] tells an import to who may import into its base, for seven days', async () => {
    const { id } = await importTable('Name\na\n')
    const viewer = await world.newCollaborator('Reader', 'viewer')
    const asViewer = world.engine.as({ userId: viewer.userId })
    await expect(
      asViewer.imports.getImport({ baseId: world.baseId, importId: id }),
    ).rejects.toMatchObject({ code: 'restricted_resource' })
    const { id: otherBaseId } = await world.api.bases.createBase({
      spaceId: world.ada.spaceId,
      name: 'Other',
    })
    await expect(
      world.api.imports.getImport({ baseId: otherBaseId, importId: id }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await statusOf(id)
    world.clock.advance(8 * 86_400_000)
    await expect(statusOf(id)).rejects.toMatchObject({ code: 'not_found' })
    await world.finishJobs()
  })

  test('[IMPORT-11] what is exported is imported with the same texts', async () => {
    const { api } = world
    const unit = fc.constantFrom('a', 'é', '😀', ',', ';', '"', '\n', '\r\n', '\t', "'", '=', ' ')
    const text = fc.string({ unit, maxLength: 6 })
    const types = [
      'longText',
      'number',
      'checkbox',
      'date',
      'singleSelect',
      'multipleSelect',
      'rating',
    ] as const
    const choices = [{ name: 'x, y' }, { name: '"q"' }, { name: 'z' }]
    const fields = [
      { type: 'longText', name: 'Text' },
      ...types.map((type) => ({
        type,
        name: `a ${type}`,
        ...(type.endsWith('Select') && { options: { choices } }),
      })),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            Text: text,
            'a longText': text,
            'a number': fc.option(fc.integer({ min: -99_999, max: 99_999 }).map((n) => n / 100)),
            'a checkbox': fc.option(fc.constant(true)),
            'a date': fc.option(
              fc.constantFrom('2026-02-28T00:00:00.000Z', '1969-12-31T00:00:00.000Z'),
            ),
            'a singleSelect': fc.option(fc.constantFrom(...choices.map(({ name }) => name))),
            'a rating': fc.option(fc.integer({ min: 1, max: 5 })),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.boolean(),
        async (rows, bom) => {
          const from = await world.makeTable('From', fields, rows)
          const to = await world.makeTable('To', fields, [])
          let csv = ''
          for await (const part of await api.exports.exportTable({ tableId: from.id, bom }))
            csv += part
          const done = await importInto(to.id, csv)
          expect(done).toMatchObject({ rowsLeftOut: 0, cellsEmptied: 0, rowsCreated: rows.length })
          expect(await rowsOf(to.id, 'text')).toEqual(await rowsOf(from.id, 'text'))
          await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId: from.id })
          await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId: to.id })
        },
      ),
      { numRuns: 15 },
    )
  })
})
