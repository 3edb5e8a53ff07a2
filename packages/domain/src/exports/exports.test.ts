import { listAllRecords } from '@gateleg/testing/observations/list-all-records'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import type { TextStream } from '../answers/text-stream.ts'
import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { toRecordQuery } from '../records/query/to-record-query.ts'
import { type ExportPlace, readExported } from './read-exported.ts'

describeOnEveryStorage('exports of tables', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))

  const exportTable = (input: object) =>
    world.api.exports.exportTable({ bom: false, ...input } as never) as Promise<TextStream>
  const textOf = async (input: object) => {
    let text = ''
    for await (const part of await exportTable(input)) text += part
    return text
  }
  const names = (...all: readonly (string | null)[]) =>
    world.makeTable(
      'Names',
      [
        { type: 'longText', name: 'Name' },
        {
          type: 'number',
          name: 'Number',
          options: { formatting: { type: 'decimal', precision: 0 } },
        },
      ],
      all.map((Name, index) => ({ Name, Number: index - 1 })),
    )

  test('[EXPORT-1] [EXPORT-2] has a line with the names of the fields, and one for each record', async () => {
    const table = await world.makeTable(
      'Lines',
      [
        { type: 'longText', name: 'Say "it", now' },
        {
          type: 'number',
          name: 'Price',
          options: { formatting: { type: 'decimal', precision: 2 } },
        },
        { type: 'checkbox', name: 'Done' },
      ],
      [
        { 'Say "it", now': 'plain', Price: 1.5, Done: true },
        { 'Say "it", now': 'a,b' },
        { 'Say "it", now': 'He said "no"\nand went', Price: -2 },
        {},
      ],
    )
    expect(await textOf({ tableId: table.id })).toBe(
      [
        '"Say ""it"", now",Price,Done',
        'plain,1.50,true',
        '"a,b",,',
        '"He said ""no""\nand went",-2.00,',
        ',,',
        '',
      ].join('\r\n'),
    )
    expect(await textOf({ tableId: table.id, projection: ['Done'] })).toBe(
      'Done\r\ntrue\r\n""\r\n""\r\n""\r\n',
    )
  })

  test('[EXPORT-2] shows every kind of cell as a list shows it as text', async () => {
    const { tableId, schema, api } = world
    const [head = [], ...lines] = parse(await textOf({ tableId }))
    expect(head).toEqual(schema.fields.map(({ field }) => field.name))
    const records = await listAllRecords(api, { tableId, cellFormat: 'text', take: 2_000 })
    expect(lines).toEqual(records.map(({ fields }) => head.map((name) => fields[name] ?? '')))
  })

  test('[EXPORT-3] has the records of a view, a filter and a sort, in their order', async () => {
    const { id: tableId } = await names('x', 'a', null, 'c')
    const filter = {
      conjunction: 'and',
      filterSet: [{ fieldId: 'Name', operator: 'isNotEmpty' }],
    }
    const orderBy = [{ fieldId: 'Name', order: 'asc' }]
    const projection = ['Name']
    expect(await textOf({ tableId, filter, orderBy, projection })).toBe('Name\r\na\r\nc\r\nx\r\n')
    const { api } = world
    const [first, second] = await api.fields.listFields({ tableId })
    const view = await api.views.createView({
      tableId,
      type: 'grid',
      name: 'Few',
      sort: { sortObjs: [{ fieldId: second?.id, order: 'desc' }] },
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: second?.id, operator: 'isGreater', value: 0 }],
      },
      columnMeta: { [second?.id ?? '']: { order: -1 } },
    } as never)
    const viewId = view.id
    expect(await textOf({ tableId, viewId })).toBe('Number,Name\r\n2,c\r\n1,\r\n')
    expect(await textOf({ tableId, viewId, ignoreViewQuery: true })).toBe(
      'Number,Name\r\n-1,x\r\n0,a\r\n1,\r\n2,c\r\n',
    )
    await api.views.setColumnMeta({
      tableId,
      viewId,
      columnMeta: [{ fieldId: second?.id ?? '', columnMeta: { hidden: true } }],
    } as never)
    expect(await textOf({ tableId, viewId })).toBe('Name\r\nc\r\n""\r\n')
    const shown = { [second?.id ?? '']: { hidden: false }, [first?.id ?? '']: { order: -2 } }
    expect(await textOf({ tableId, viewId, columnMeta: shown })).toBe(
      'Name,Number\r\nc,2\r\n,1\r\n',
    )
  })

  test('[EXPORT-3] [EXPORT-7] has the rows of a view in the order into which they were put, and what a search finds', async () => {
    await withLimits({ recordsPerExportPart: 2, recordsFoundPerExport: 3 }, async () => {
      const table = await names('d', 'b', 'a', 'c', 'e', 'bb', 'f', 'g')
      const { api } = world
      const tableId = table.id
      const { id: viewId } = await api.views.createView({
        tableId,
        type: 'grid',
        name: 'V',
      } as never)
      const sortObjs = [{ fieldId: table.primaryId, order: 'desc' as const }]
      await api.views.sortViewManually({ tableId, viewId, sortObjs })
      const asked = { tableId, viewId, projection: ['Name'] }
      const linesOf = async (input: object) =>
        parse(await textOf(input))
          .flat()
          .slice(1)
      const listed = async (input: object) =>
        (await api.records.listRecords({ take: 100, ...input } as never)).records.map(
          ({ fields }) => fields.Name,
        )
      expect(await linesOf(asked)).toEqual(['g', 'f', 'e', 'd', 'c', 'bb', 'b', 'a'])
      const search = ['b', 'Name', true]
      expect(await linesOf({ ...asked, search })).toEqual(['bb', 'b'])
      const groupBy = [{ fieldId: 'Number', order: 'desc' }]
      expect(await linesOf({ ...asked, groupBy })).toEqual(await listed({ ...asked, groupBy }))
      const read = (async () => {
        for await (const _ of await exportTable(asked)) {
          await api.views.sortViewManually({ tableId, viewId, sortObjs })
        }
      })()
      await expect(read).rejects.toMatchObject({ code: 'conflict' })
    })
  })

  test('[EXPORT-7] goes on where rows got other places to make room between them', async () => {
    const { api } = world
    const exporting = async (anchor: string, moved: string, position: 'before' | 'after') => {
      const table = await names('a', 'b', 'c', 'd', 'e', 'f')
      const tableId = table.id
      const { id: viewId } = await api.views.createView({ tableId, type: 'grid' })
      const idOf = (name: string) => table.recordIds['abcdef'.indexOf(name)] ?? ''
      const move = (anchorId: string, ...recordIds: readonly string[]) =>
        withLimits({ rowsBetweenNeighbours: 0.1 }, () =>
          api.views.moveRows({ tableId, viewId, anchorId, position, recordIds: [...recordIds] }),
        )
      // There is an order from now on.
      await move(idOf('f'), idOf('a'))
      const listed = () => api.records.listRecords({ tableId, viewId, take: 100 })
      const before = (await listed()).records.map(({ fields }) => fields.Name)
      const read: string[] = []
      for await (const part of await exportTable({ tableId, viewId, projection: ['Name'] })) {
        read.push(part.trimEnd())
        if (read.length === 2) await move(idOf(anchor), idOf(moved))
      }
      expect((await listed()).records.map(({ fields }) => fields.Name)).not.toEqual(before)
      return { read: read.flatMap((part) => part.split('\r\n')).slice(1), before }
    }
    await withLimits({ recordsPerExportPart: 1, recordsFoundPerExport: 2 }, async () => {
      const { read, before } = await exporting('b', 'e', 'after')
      expect(before).toEqual(['b', 'c', 'd', 'e', 'f', 'a'])
      // The one that was moved stands among those that were read by now; all others come once.
      expect(read.filter((name) => name !== 'e')).toEqual(before.filter((name) => name !== 'e'))
      // Where the last one that was found was moved itself, nothing tells how far it is.
      await expect(exporting('f', 'c', 'after')).rejects.toMatchObject({ code: 'conflict' })
    })
  })

  test('[EXPORT-4] refuses fields that there are not, and an export without any', async () => {
    const { id: tableId } = await names('x')
    await expect(
      exportTable({ tableId, columnMeta: { fldNone: { hidden: true } } }),
    ).rejects.toThrow('columnMeta.fldNone: must be the id of a field of the table')
    await expect(exportTable({ tableId, projection: ['No'] })).rejects.toThrow(
      'projection: must leave a field to export',
    )
    await expect(
      exportTable({ tableId, filter: { conjunction: 'and', filterSet: [{ fieldId: 'No' }] } }),
    ).rejects.toMatchObject({ code: 'validation_error' })
    await expect(exportTable({ tableId, viewId: 'viwNone' })).rejects.toMatchObject({
      code: 'view_not_found',
    })
  })

  test('[EXPORT-5] guards against formulas of spreadsheets on request, numbers aside', async () => {
    const texts = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', 'a=1', "'=1"]
    const { id: tableId } = await names(...texts)
    const first = async (input: object) =>
      parse(await textOf({ tableId, ...input })).map((cells) => cells.join('|'))
    expect(await first({ guardFormulas: true })).toEqual([
      'Name|Number',
      ...["'=1+1|-1", "'+1|0", "'-1|1", "'@x|2", "'\tx|3", "'\rx|4", 'a=1|5', "'=1|6"],
    ])
    expect((await first({})).slice(1)).toEqual(texts.map((text, index) => `${text}|${index - 1}`))
  })

  test('[EXPORT-6] begins with a byte order mark unless it is told not to', async () => {
    const { id: tableId } = await names()
    expect(await textOf({ tableId, bom: true })).toBe('\ufeffName,Number\r\n')
    expect(await textOf({ tableId, bom: undefined })).toBe('\ufeffName,Number\r\n')
  })

  test.each([
    ['', {}],
    [' by a query', { orderBy: [{ fieldId: 'Name', order: 'asc' }] }],
  ])(
    '[EXPORT-7] [EXPORT-9] is written in parts%s, and has what stays once, whatever changes meanwhile',
    async (_, query) => {
      await withLimits({ recordsPerExportPart: 3, recordsFoundPerExport: 5 }, async () => {
        const all = Array.from({ length: 20 }, (_, index) => `n${String(index).padStart(2, '0')}`)
        const table = await names(...all)
        const filter = {
          conjunction: 'and',
          filterSet: [{ fieldId: 'Number', operator: 'isNotEmpty' }],
        }
        const asked = {
          tableId: table.id,
          projection: ['Name'],
          ...query,
          ...('orderBy' in query && { filter }),
        }
        const parts: string[] = []
        for await (const part of await exportTable(asked)) {
          parts.push(part)
          if (parts.length !== 1) continue
          await world.remove(table, table.recordIds[4], table.recordIds[1])
          if ('orderBy' in query) await world.change(table, table.recordIds[3], { Number: null })
          await world.add(table, { Name: 'n99', Number: 1 })
        }
        const left = all.filter((_, index) => index !== 4 && (index !== 3 || !('orderBy' in query)))
        expect(parts.length).toBeGreaterThanOrEqual(7)
        expect(Math.max(...parts.map((part) => part.split('\r\n').length))).toBeLessThanOrEqual(5)
        expect(parts.join('').trimEnd().split('\r\n')).toEqual(['Name', ...left, 'n99'])
      })
    },
  )

  test.each([
    ['', {}],
    [' by a query', { orderBy: [{ fieldId: 'Name', order: 'asc' }] }],
  ])('[EXPORT-9] ends a part%s with the record that makes it long', async (_, query) => {
    await withLimits({ exportPartLength: 10 }, async () => {
      const table = await names('aaaaaaaaa', 'b', 'c', 'd', 'e', 'f', 'g')
      const parts: string[] = []
      for await (const part of await exportTable({
        tableId: table.id,
        projection: ['Name'],
        ...query,
      })) {
        parts.push(part)
      }
      expect(parts).toEqual(['Name\r\naaaaaaaaa\r\n', 'b\r\nc\r\nd\r\ne\r\n', 'f\r\ng\r\n'])
    })
  })

  test.each([
    ['', {}],
    [' by a query', { orderBy: [{ fieldId: 'Name', order: 'asc' }] as const }],
  ])('[EXPORT-9] reads a part%s by a few records at a time', async (_, query) => {
    const { recordsPerExportRead, recordsPerExportReadOverNetwork } = limits
    expect([recordsPerExportRead, recordsPerExportReadOverNetwork]).toEqual([500, 2_000])
    const few =
      storage.name === 'postgres'
        ? { recordsPerExportReadOverNetwork: 3 }
        : { recordsPerExportRead: 3 }
    await withLimits(few, async () => {
      const { ada, engine } = world
      const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      const { id: tableId } = await names(...all)
      const sizes = await engine.store.read(async (tx) => {
        const [table] = await tx.tables.findAll([tableId], 'none')
        if (!table) throw new Error('the table was made')
        const schema = await tx.fields.schemaOf(table)
        const asker = {
          actor: { kind: 'user', userId: ada.userId },
          now: toTimestamp(world.clock.now()),
        } as const
        const asked = toRecordQuery(schema, { fieldKeyType: 'name', ...query }, asker)
        const exported = { ...asked, viewVersion: 0 }
        const read: number[] = []
        let place: ExportPlace | undefined
        do {
          const { records, end } = await readExported(tx, schema, exported, place, schema.fields)
          read.push(records.length)
          place = end
        } while (place)
        return read
      })
      expect(sizes).toEqual([3, 3, 1])
      const parts: string[] = []
      for await (const part of await exportTable({ tableId, projection: ['Name'], ...query })) {
        parts.push(part)
      }
      expect(parts).toEqual([`${['Name', ...all].join('\r\n')}\r\n`])
    })
  })

  test('[EXPORT-8] asks the guard for each part', async () => {
    await withLimits({ recordsPerExportPart: 1 }, async () => {
      const table = await names('a', 'b', 'c')
      const { api, engine, baseId } = world
      const viewer = await world.newCollaborator('Viewer', 'viewer')
      const asViewer = engine.as({ userId: viewer.userId }).exports
      const read: string[] = []
      const reading = (async () => {
        for await (const part of await asViewer.exportTable({ tableId: table.id, bom: false })) {
          read.push(part)
          const principalId = viewer.userId
          await api.collaborators.removeBaseCollaborator({
            baseId,
            principalId,
            principalType: 'user',
          } as never)
        }
      })()
      await expect(reading).rejects.toMatchObject({ code: 'not_found' })
      expect(read).toEqual(['Name,Number\r\na,-1\r\n'])
    })
  })

  test('[EXPORT-8] ends where fields or the view are changed meanwhile', async () => {
    await withLimits({ recordsPerExportPart: 1 }, async () => {
      const table = await names('a', 'b', 'c')
      const { api } = world
      const tableId = table.id
      const interrupted = async (input: object, change: () => Promise<unknown>) => {
        for await (const _ of await exportTable({ tableId, ...input })) await change()
      }
      const error = { code: 'conflict' }
      const fieldId = table.primaryId
      await expect(
        interrupted({}, () => api.fields.updateField({ tableId, fieldId, name: 'Other' })),
      ).rejects.toMatchObject(error)
      const { id: viewId } = await api.views.createView({
        tableId,
        type: 'grid',
        name: 'V',
      } as never)
      const sort = { sortObjs: [{ fieldId, order: 'asc' }] }
      await expect(
        interrupted({ viewId }, () => api.views.setViewSort({ tableId, viewId, sort } as never)),
      ).rejects.toMatchObject(error)
      await interrupted({ viewId, ignoreViewQuery: true }, () =>
        api.views.setViewSort({ tableId, viewId, sort: null } as never),
      )
    })
  })

  test('[EXPORT-10] proposes a name for the file', async () => {
    const { api } = world
    const fileNameOf = async (name: string) => {
      const table = await world.makeTable(name, [{ type: 'singleLineText', name: 'Name' }], [])
      const [view] = await api.views.listViews({ tableId: table.id })
      await api.views.renameView({
        tableId: table.id,
        viewId: view?.id ?? '',
        name: 'All',
      } as never)
      const plain = await exportTable({ tableId: table.id })
      const ofView = await exportTable({ tableId: table.id, viewId: view?.id })
      return [plain.fileName, ofView.fileName, plain.mediaType]
    }
    expect(await fileNameOf('Bücher: "neue"')).toEqual([
      'Bücher neue.csv',
      'Bücher neue - All.csv',
      'text/csv',
    ])
    expect((await fileNameOf('../../etc/passwd\u202e')).slice(0, 1)).toEqual(['etc passwd.csv'])
    expect((await fileNameOf('é'.repeat(100))).slice(1, 2)).toEqual([`${'é'.repeat(100)}.csv`])
    expect((await fileNameOf('...')).slice(0, 1)).toEqual(['table.csv'])
  })
})

/** A reader of RFC 4180 that shares nothing with the writer, one character after another. */
function parse(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] as string
    if (isQuoted) {
      if (mark !== '"') cell += mark
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (mark === '"') isQuoted = true
    else if (mark === ',' || mark === '\n') {
      cells.push(cell)
      cell = ''
      if (mark === '\n') {
        lines.push(cells)
        cells = []
      }
    } else if (mark !== '\r') cell += mark
  }
  return lines
}
