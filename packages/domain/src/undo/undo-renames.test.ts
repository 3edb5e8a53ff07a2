import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

/** What is done, with two numbers that say to what. */
const kinds = [
  ...(['write', 'add', 'delete', 'filter', 'duplicate', 'convert', 'retitle', 'untitle'] as const),
  ...(['rename', 'exchange', 'exchange'] as const),
]
const steps = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), one: fc.nat(5), other: fc.nat(5) }),
  { minLength: 3, maxLength: 12 },
)

describeOnEveryStorage('undo between which choices get other names', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  /** Two tables, of which one reads the other by filters that name choices, and how each step is taken. */
  async function open() {
    await world.clear()
    const { fields, records, views } = world.api
    const names = ['open', 'done', 'late']
    const nameAt = (index: number) => names[index % names.length] ?? ''
    const select = () => ({
      type: 'singleSelect',
      options: { choices: names.map((name, index) => ({ id: `id${index}`, name, color: 'red' })) },
    })
    const tasks = await world.makeNames('Tasks', 'wash', 'cook')
    const { id: stateId } = await world.addField(tasks, { name: 'State', ...select() })
    const { id: titleId } = await world.addField(tasks, { name: 'Title', type: 'longText' })
    await world.change(tasks, tasks.recordIds[0], { State: 'open', Title: 'Wash up' })
    const people = await world.makeNames('People', 'ann')
    const about = (index: number) => ({
      conjunction: 'and' as const,
      filterSet: [{ fieldId: stateId, operator: 'is' as const, value: nameAt(index) }],
    })
    const target = { relationship: 'manyMany', isOneWay: true, foreignTableId: tasks.id }
    const linkTo = (lookupFieldId: string, index: number) => ({
      type: 'link',
      options: { ...target, lookupFieldId, filter: about(index) },
    })
    const link = await world.addField(people, { name: 'Tasks', ...linkTo(titleId, 0) })
    await world.change(people, people.recordIds[0], { Tasks: tasks.recordIds })
    const read = { foreignTableId: tasks.id, linkFieldId: link.id }
    const lookup = (lookupFieldId: string, type: string, index: number) => ({
      ...{ type, isLookup: true },
      lookupOptions: { ...read, lookupFieldId, filter: about(index) },
    })
    const shown = await world.addField(people, {
      name: 'Shown',
      ...lookup(tasks.primaryId, 'singleLineText', 0),
    })
    const [view] = await views.listViews({ tableId: tasks.id })
    const place = { tableId: tasks.id, viewId: view?.id ?? '' }
    const convert = (fieldId: string, definition: object) =>
      fields.convertField({ tableId: people.id, fieldId, ...definition } as never, options)
    const rename = async () => void (await world.convert(tasks, 'State', select()))
    let made = 0
    const take: Record<
      (typeof kinds)[number],
      (one: number, other: number, recordId: string) => Promise<unknown>
    > = {
      write: (one, _, recordId) => {
        const record = { fields: { State: nameAt(one) } }
        return records.updateRecord({ tableId: tasks.id, recordId, record }, options)
      },
      add: (one) => {
        const added = [{ fields: { Name: `${made++}`, State: nameAt(one) } }]
        return records.createRecords({ tableId: tasks.id, records: added }, options)
      },
      delete: (_one, _other, recordId) =>
        records.deleteRecord({ tableId: tasks.id, recordId }, options),
      filter: (one) => views.setViewFilter({ ...place, filter: about(one) }, options),
      duplicate: () => views.duplicateView(place, options),
      convert: (one, other) => {
        const ways = [
          lookup(tasks.primaryId, 'singleLineText', other),
          lookup(stateId, 'singleSelect', other),
          // A text would keep the names of choices.
          { type: 'number' },
        ]
        return convert(shown.id, ways[one % ways.length] ?? {})
      },
      retitle: (one, other) => convert(link.id, linkTo(one % 2 ? titleId : tasks.primaryId, other)),
      untitle: () => fields.deleteField({ tableId: tasks.id, fieldId: titleId }, options),
      rename: (one) => {
        names[one % names.length] = `name ${made++}`
        return rename()
      },
      exchange: (one) => {
        const [first, second] = [one % names.length, (one + 1) % names.length]
        ;[names[first], names[second]] = [nameAt(second), nameAt(first)]
        return rename()
      },
    }
    /** All that is there, whatever choices are called. */
    const look = async () => {
      const found = await Promise.all(
        [tasks, people].map(async ({ id: tableId }) => ({
          fields: (await fields.listFields({ tableId })).map(
            ({ name, type, options, lookupOptions }) => [name, type, options, lookupOptions],
          ),
          records: (await records.listRecords({ tableId })).records.map((one) => one.fields),
          filters: (await views.listViews({ tableId })).map(({ filter }) => filter),
        })),
      )
      const byName = new Map(names.map((name, index) => [name, `choice ${index}`]))
      return JSON.parse(JSON.stringify(found), (_, value) => byName.get(value) ?? value)
    }
    return { tasks, people, take, look }
  }

  test('[UNDO-160] [UNDO-161] always leads back, and there again', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const { tasks, people, take, look } = await open()
        const taken: { table: TestTable; before: unknown; after: unknown }[] = []
        for (const { kind, one, other } of script) {
          const before = await look()
          const { records } = await world.api.records.listRecords({ tableId: tasks.id })
          const recordId = records[one % Math.max(1, records.length)]?.id ?? ''
          try {
            await take[kind](one, other, recordId)
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/validation|not_found/) })
            continue
          }
          const after = await look()
          // A rename is nobody's to undo here, and names are told by choices.
          if (JSON.stringify(after) === JSON.stringify(before)) continue
          const table = kind === 'convert' || kind === 'retitle' ? people : tasks
          taken.push({ table, before, after })
        }
        for (const { table, before } of taken.toReversed()) {
          expect(await world.api.undo.undoChange({ tableId: table.id }, options)).toEqual(done)
          expect(await look()).toEqual(before)
        }
        for (const { table, after } of taken) {
          expect(await world.api.undo.redoChange({ tableId: table.id }, options)).toEqual(done)
          expect(await look()).toEqual(after)
        }
      }),
      { numRuns: 20 },
    )
  }, 120_000)
})
