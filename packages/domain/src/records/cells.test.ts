import { fieldArbitraries, userNamesById } from '@gateleg/testing/arbitraries/field-options'
import { rulesWith } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { newUser } from '@gateleg/testing/factories/stored-rows'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Refusal } from '../fields/cell.ts'
import { fieldTypes } from '../fields/field-types.ts'

const rowCount = 3

/** A field of every type with any options, each with cells for some records. */
const fieldsWithCells = fc.tuple(
  ...Object.entries(fieldArbitraries).map(([name, { options, json }]) => {
    const type = fieldTypes.get(name as never)
    if (!type) throw new Error(`There is no type ${name}`)
    return options.chain((sent) => {
      // Fields that are followed must be there; the tests of records are about those.
      const { trackedFieldIds: _, ...rest } = sent as { trackedFieldIds?: unknown }
      const parsed = type.options.parse(rest)
      const cells = fc.array(json(parsed), { minLength: rowCount, maxLength: rowCount })
      return fc.record({ type: fc.constant(type), options: fc.constant(rest), cells })
    })
  }),
)

describeOnEveryStorage('cells of every type', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']

  beforeAll(async () => {
    api = world.api
    await world.engine.store.write(async (tx) => {
      for (const [index, [id, name]] of Object.entries(userNamesById).entries()) {
        await tx.users.insert(newUser(index, { id, name }))
        await tx.collaborators.insert({
          resourceType: 'base',
          resourceId: world.baseId,
          userId: id,
          role: 'viewer',
          createdBy: world.ada.userId,
          createdTime: '2026-01-01T00:00:00.000Z',
        })
      }
    })
  })

  test('[RECORD-29] are always read back as they were written', async () => {
    const { collaborators } = await api.collaborators.listBaseCollaborators({
      baseId: world.baseId,
      take: 2_000,
    })
    const details = new Map(
      collaborators.map(({ userId, email, avatar }) => [
        userId,
        {
          ...(email !== undefined && { email }),
          ...(avatar !== undefined && { avatarUrl: avatar }),
        },
      ]),
    )
    const people = knownPeople({ ...userNamesById, [world.ada.userId]: 'ada' }, details)
    await fc.assert(
      fc.asyncProperty(fieldsWithCells, async (made) => {
        const fields = made.map(({ type, options }) => ({
          type: type.name,
          name: type.name,
          options,
        }))
        const rows = Array.from({ length: rowCount }, (_, row) =>
          Object.fromEntries(made.map(({ type, cells }) => [type.name, cells[row]])),
        )
        const table = await api.tables.createTable({
          baseId: world.baseId,
          fields: fields as never,
          records: rows.map((row) => ({ fields: row })),
        })
        const { id: tableId } = table
        const list = async () => (await api.records.listRecords({ tableId })).records

        // What the caller sent is what the rules of the type make of it.
        const optionsOf = new Map(table.fields.map(({ name, options }) => [name, options]))
        for (const { type, cells } of made) {
          const options = optionsOf.get(type.name)
          if (type.systemColumn?.(options)) continue
          const rules = rulesWith(type, options)
          const answers = cells.map((sent) => {
            const cell = rules.parse(sent)
            if (cell === null || cell instanceof Refusal) return undefined
            return rules.toJson ? rules.toJson(cell, people) : cell
          })
          expect(table.records.map((record) => record.fields[type.name])).toStrictEqual(answers)
        }

        // A read answers what the write did, and writing that again changes nothing.
        expect(await list()).toStrictEqual(table.records)
        const again = table.records.map(({ id, fields: cells }) => ({ id, fields: cells }))
        world.clock.advance(1_000)
        const unchanged = await api.records.updateRecords({ tableId, records: again })
        expect(unchanged).toStrictEqual(table.records)
        expect(await list()).toStrictEqual(table.records)

        // An update writes them as a creation does.
        const [first, ...others] = table.records
        const emptied = Object.fromEntries(
          made.flatMap(({ type }) => (type.isPressed ? [] : [[type.name, null]])),
        )
        const recordId = first?.id ?? ''
        await api.records.updateRecord({ tableId, recordId, record: { fields: emptied } })
        const record = { fields: first?.fields ?? {} }
        const { version: _, ...rewritten } = await api.records.updateRecord({
          tableId,
          recordId,
          record,
        })
        const { lastModifiedTime } = rewritten
        const { lastModifiedBy } = rewritten.fields
        // Cells that were empty before are no change when they are emptied.
        const isChanged = lastModifiedTime !== first?.lastModifiedTime
        expect(rewritten).toStrictEqual({
          ...first,
          lastModifiedTime,
          fields: { ...record.fields, ...(isChanged && { lastModifiedTime, lastModifiedBy }) },
        })
        expect(await list()).toStrictEqual([rewritten, ...others])
        await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId })
      }),
      { numRuns: 40 },
    )
  })
})
