import { maker } from '@gateleg/testing/factories/stored-rows'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { shownUser } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

const hidden = { code: 'not_found' }

describeOnEveryStorage('values sent for records', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    tableId = (await api.tables.createTable({ baseId: world.baseId, records: [] })).id
  })

  const addField = (definition: object) =>
    api.fields.createField({ tableId, ...definition } as never)
  const create = (rows: readonly object[], more: object = {}) =>
    api.records.createRecords({
      tableId,
      records: rows.map((fields) => ({ fields })),
      ...more,
    } as never)
  const createOne = async (fields: object, more: object = {}) => {
    const [record] = (await create([fields], more)).records
    return { id: record?.id ?? '', fields: record?.fields ?? {} }
  }
  const update = (recordId: string, fields: unknown, more: object = {}) =>
    api.records.updateRecord({ tableId, recordId, record: { fields }, ...more } as never)

  test('[RECORD-2] [RECORD-27] finds no field by a key that names none', async () => {
    const { id } = await createOne({ Name: 'a' })
    const { fields } = await api.tables.createTable({ baseId: world.baseId })
    const keys = ['name', 'Nope', '', ' Name', '__proto__', '__id', 'constructor', fields[0]?.id]
    for (const key of keys) {
      const values = JSON.parse(`{"Name": "b", ${JSON.stringify(key)}: 1}`)
      await world.expectNoTrace(() => create([{ Name: 'c' }, values]), hidden)
      await world.expectNoTrace(() => update(id, values), hidden)
      await world.expectNoTrace(() => create([values], { typecast: true }), hidden)
    }
    for (const fieldKeyType of ['id', 'dbFieldName']) {
      await addField({ type: 'number', name: `${fieldKeyType} x` })
      const values = { [`${fieldKeyType} x`]: 1 }
      await world.expectNoTrace(() => create([values], { fieldKeyType }), hidden)
    }
  })

  test('[RECORD-1] takes and answers values by name, id or column name', async () => {
    const { id, name, dbFieldName } = await addField({ type: 'number', name: 'Big cost' })
    expect(dbFieldName).toBe('Big_cost')
    for (const [fieldKeyType, key] of Object.entries({ name, id, dbFieldName })) {
      const more = { fieldKeyType } as { fieldKeyType: 'name' }
      const { id: recordId, fields } = await createOne({ [key]: 1 }, more)
      expect(fields).toEqual({ [key]: 1 })
      expect((await update(recordId, { [key]: 2 }, more)).fields).toEqual({ [key]: 2 })
      const records = [{ id: recordId, fields: { [key]: 3 } }]
      const [updated] = await api.records.updateRecords({ tableId, records, ...more })
      expect(updated?.fields).toEqual({ [key]: 3 })
      const record = await api.records.getRecord({ tableId, recordId, ...more })
      expect(record.fields).toEqual({ [key]: 3 })
      const list = await api.records.listRecords({ tableId, ...more })
      expect(list.records.at(-1)?.fields).toEqual({ [key]: 3 })
      const bad = { fields: { [key]: 'x' } }
      await world.expectNoTrace(
        () => api.records.updateRecord({ tableId, recordId, record: bad, ...more }),
        invalidAt('record', 'fields', key),
      )
    }
  })

  test.each([
    [['records'], {}],
    [['records'], { records: [] }],
    [['records'], { records: {} }],
    [['records', 0, 'fields'], { records: [{ id: 'rec0' }] }],
    [['records', 0, 'fields'], { records: [{ id: 'rec0', fields: null }] }],
    [['records', 0, 'fields'], { records: [{ id: 'rec0', fields: [1] }] }],
    [['typecast'], { records: [{ id: 'rec0', fields: {} }], typecast: 'yes' }],
    [['fieldKeyType'], { records: [{ id: 'rec0', fields: {} }], fieldKeyType: 'x' }],
    [['order'], { records: [{ id: 'rec0', fields: {} }], order: 'rec0' }],
  ])(
    '[RECORD-3] [RECORD-8] refuses as %j what is no list of records: %j',
    async (path, request) => {
      const input = { tableId, ...request } as never
      await world.expectNoTrace(() => api.records.createRecords(input), invalidAt(...path))
      await world.expectNoTrace(() => api.records.updateRecords(input), invalidAt(...path))
    },
  )

  test('[RECORD-8] refuses more records than a request may have', async () => {
    const records = Array.from({ length: 20_001 }, (_, n) => ({ id: `rec${n}`, fields: {} }))
    const refusal = invalidAt('records')
    await world.expectNoTrace(() => api.records.createRecords({ tableId, records }), refusal)
    await world.expectNoTrace(() => api.records.updateRecords({ tableId, records }), refusal)
    // In another base, because the others of this one are compared before and after each refusal.
    const { id: baseId } = await api.bases.createBase({ spaceId: world.ada.spaceId })
    const { id: large } = await api.tables.createTable({ baseId })
    const { records: made } = await api.records.createRecords({
      tableId: large,
      records: records.slice(0, limits.recordsPerMutation),
    })
    expect(made).toHaveLength(20_000)
    const changes = made.map(({ id, autoNumber }) => ({ id, fields: { Count: autoNumber } }))
    const changed = await api.records.updateRecords({ tableId: large, records: changes })
    expect(changed.map(({ fields }) => fields)).toEqual(changes.map(({ fields }) => fields))
  })

  test('[RECORD-3] [RECORD-27] names what is wrong, up to 20 places', async () => {
    await addField({ type: 'checkbox' })
    const bad = { Name: 1, Count: 'x', Done: 'yes', Status: 'none' }
    await world.expectNoTrace(() => create([{ Name: 'a' }, bad]), {
      code: 'validation_error',
      data: {
        issues: Object.keys(bad).map((key) =>
          expect.objectContaining({ path: ['records', 1, 'fields', key] }),
        ),
      },
    })
    const many = await create(new Array(100).fill(bad)).catch((error) => error)
    expect(many.data.issues).toHaveLength(20)
    expect(many.message).toContain('records.0.fields.Count: must be a finite number or null')
    const records = new Array(100).fill({})
    const none = await api.records.createRecords({ tableId, records }).catch((error) => error)
    expect(none.data.issues).toHaveLength(20)
  })

  test('[RECORD-3] refuses text that no storage can hold', async () => {
    await addField({ type: 'longText' })
    const { id } = await createOne({ Name: 'a' })
    for (const text of ['a\0', '\ud83d', '\ude00x']) {
      for (const key of ['Name', 'Notes', 'Status']) {
        const values = { [key]: text }
        await world.expectNoTrace(() => create([values]), invalidAt('records', 0, 'fields', key))
        await world.expectNoTrace(() => update(id, values), invalidAt('record', 'fields', key))
      }
    }
    const { fields } = await createOne({ Name: 'a\0\ud83d', Notes: '\ude00' }, { typecast: true })
    expect(fields).toEqual({ Name: 'a\ufffd', Notes: '\ufffd' })
  })

  test('[RECORD-2] passes over values for computed fields', async () => {
    await addField({ type: 'autoNumber' })
    await addField({ type: 'createdTime' })
    await addField({ type: 'lastModifiedTime' })
    await addField({ type: 'createdBy' })
    const { fields: own } = await api.tables.createTable({ baseId: world.baseId, records: [] })
    const nameId = (await api.fields.listFields({ tableId }))[0]?.id ?? ''
    await addField({ type: 'lastModifiedBy', options: { trackedFieldIds: [nameId] } })
    const values = {
      Name: 'a',
      ID: 99,
      'Created Time': 'nonsense',
      'Last Modified Time': null,
      'Created by': 'usr0',
      'Last modified by': { id: 'usr0' },
    }
    const me = shownUser(world.ada, 'ada')
    const now = new Date(world.clock.now()).toISOString()
    const { id, fields } = await createOne(values)
    expect(fields).toEqual({
      Name: 'a',
      ID: 1,
      'Created Time': now,
      'Created by': me,
    })
    const { Name: _, ...computed } = values
    expect(await update(id, computed, { typecast: true })).toMatchObject({ fields, version: 1 })
    expect(own).toHaveLength(3)
  })

  test('[RECORD-4] takes now for a date as the time of the call', async () => {
    await addField({ type: 'date', name: 'Day' })
    const { fields } = await createOne({ Day: 'now' }, { typecast: true })
    expect(fields).toEqual({ Day: new Date(world.clock.now()).toISOString() })
    await expect(createOne({ Day: 'now' })).rejects.toMatchObject({ code: 'validation_error' })
    const strict = await createOne({ Day: '2024-02-28 16:00' })
    expect(strict.fields).toEqual({ Day: '2024-02-28T16:00:00.000Z' })
  })

  test('[RECORD-4] casts values, and empties what has no reading', async () => {
    await addField({ type: 'date', options: { formatting: { date: 'D/M/YYYY' } } })
    await addField({ type: 'rating', options: { max: 3 } })
    await addField({ type: 'checkbox' })
    const sent = { Name: 12, Count: ' $1,234.50 ', Date: '5/3/2024', Rating: 9.4, Done: 'yes' }
    const read = {
      Name: '12',
      Count: 1234.5,
      Rating: 3,
      Done: true,
      Date: '2024-03-05T00:00:00.000Z',
    }
    const { id, fields } = await createOne(sent, { typecast: true })
    expect(fields).toEqual(read)
    const none = { Name: '', Count: 'many', Date: 'soon', Rating: 0, Done: 'no' }
    expect((await update(id, none, { typecast: true })).fields).toEqual({})
  })

  test('[RECORD-5] adds the choices that a cast value lacks', async () => {
    const { id: fieldId } = await addField({
      type: 'multipleSelect',
      options: { choices: [{ name: 'a' }] },
    })
    const rows = [{ Tags: 'b, a', Status: 'new' }, { Tags: ['c', 'b', 'c'] }, { Status: ' new ' }]
    const before = await api.tables.getTable({ baseId: world.baseId, tableId })
    const { records } = await create(rows, { typecast: true })
    expect(records.map(({ fields }) => fields)).toEqual([
      { Tags: ['b', 'a'], Status: 'new' },
      { Tags: ['c', 'b'] },
      { Status: 'new' },
    ])
    const tags = await api.fields.getField({ tableId, fieldId })
    expect(tags).toMatchObject({
      version: 2,
      options: { choices: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    })
    const [first] = records
    await update(first?.id ?? '', { Tags: 'd' }, { typecast: true })
    const after = await api.tables.getTable({ baseId: world.baseId, tableId })
    expect(after).toMatchObject({ version: before.version + 2 })
    await create([{ Tags: ['d', 'c'] }])
    await create([{ Tags: 'a,b,c,d' }], { typecast: true })
    expect(await api.fields.getField({ tableId, fieldId })).toMatchObject({ version: 3 })
  })

  test('[RECORD-5] adds no choice to a field that forbids it, or has no room', async () => {
    const options = { choices: [{ name: 'a' }], preventAutoNewOptions: true }
    await addField({ type: 'singleSelect', name: 'Fixed', options })
    await addField({ type: 'multipleSelect', options: { choices: [{ name: 'a' }] } })
    const { fields } = await createOne({ Fixed: 'b', Name: 'x' }, { typecast: true })
    expect(fields).toEqual({ Name: 'x' })
    await withLimits({ choicesPerSelect: 3 }, async () => {
      const rows = [{ Tags: 'a, b' }, { Tags: 'b, c, d' }, { Tags: 'd' }]
      const issues = [1, 2].map((row) =>
        expect.objectContaining({ path: ['records', row, 'fields', 'Tags'] }),
      )
      await world.expectNoTrace(() => create(rows, { typecast: true }), { data: { issues } })
      await create(rows.slice(0, 1), { typecast: true })
    })
  })

  test('[RECORD-6] takes collaborators of the base, and nobody else', async () => {
    const bob = await world.newCollaborator('Bob', 'editor')
    const eve = await world.newPerson('Eve')
    await addField({ type: 'user', name: 'Owner' })
    await addField({ type: 'user', name: 'Team', options: { isMultiple: true } })
    const me = shownUser(world.ada, 'ada')
    const him = shownUser(bob, 'bob')
    const { id, fields } = await createOne({ Owner: bob.userId, Team: [me, bob.userId] })
    expect(fields).toEqual({ Owner: him, Team: [me, him] })
    for (const stranger of [eve.userId, { id: eve.userId }, 'usr0', 'bob']) {
      await world.expectNoTrace(
        () => update(id, { Owner: stranger }),
        invalidAt('record', 'fields', 'Owner'),
      )
      await world.expectNoTrace(
        () => create([{ Team: [bob.userId, stranger] }]),
        invalidAt('records', 0, 'fields', 'Team'),
      )
    }
    await api.collaborators.removeBaseCollaborator({
      baseId: world.baseId,
      principalId: bob.userId,
      principalType: 'user',
    })
    await update(id, { Owner: him, Team: [him] })
    const kept = await update(id, { Team: [me, him] }).catch((error) => error)
    expect(kept.fields).toMatchObject({ Team: [me, him] })
    const sentBack = await update(id, kept.fields, { typecast: true })
    expect(sentBack.fields).toMatchObject({ Owner: him, Team: [me, him] })
    const byId = { Owner: bob.userId, Team: `${bob.userId}, ada` }
    const named = await update(id, byId, { typecast: true })
    expect(named.fields).toMatchObject({ Owner: him, Team: [him, me] })
    await update(id, { Team: [me, him] })
    await world.expectNoTrace(
      () => create([{ Owner: bob.userId }]),
      invalidAt('records', 0, 'fields', 'Owner'),
    )
    await update(id, { Owner: null })
    await world.expectNoTrace(
      () => update(id, { Owner: him }),
      invalidAt('record', 'fields', 'Owner'),
    )
  })

  test('[RECORD-6] finds people by id, address and name', async () => {
    const zoe = await world.newCollaborator('Zoe', 'viewer')
    const impostor = await world.newCollaborator('Impostor', 'viewer')
    await impostor.api.accounts.changeName({ name: zoe.email })
    const upper = await world.newCollaborator('Upper', 'viewer')
    await upper.api.accounts.changeName({ name: 'Kim' })
    const lower = await world.newCollaborator('Lower', 'viewer')
    await lower.api.accounts.changeName({ name: 'kim' })
    const double = await world.newCollaborator('Double', 'viewer')
    await double.api.accounts.changeName({ name: 'kim' })
    const kim = [lower.userId, double.userId].toSorted()[0]
    await world.newPerson('Eva')
    await addField({ type: 'user', name: 'Team', options: { isMultiple: true } })
    const cast = async (value: unknown) => {
      const { fields } = await createOne({ Team: value }, { typecast: true })
      return ((fields.Team ?? []) as { id: string }[]).map(({ id }) => id)
    }
    for (const email of [zoe.email, 'ZOE@Example.com']) {
      expect(await cast(email)).toEqual([zoe.userId])
    }
    expect(await cast(['Kim', 'kim', 'KIM'])).toEqual([upper.userId, kim])
    expect(await cast(`zoe, ${upper.userId}, eva, eva@example.com, nobody`)).toEqual([
      zoe.userId,
      upper.userId,
    ])
    expect(await cast([{ id: zoe.userId }, { name: 'kim' }, { id: 'usr0', title: 'zoe' }])).toEqual(
      [zoe.userId, kim],
    )
  })

  test('[RECORD-7] refuses cells and records that are too large', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await addField({ type: 'longText', name })
    const full = 'x'.repeat(limits.cellBytes)
    const { id } = await createOne({ A: full, B: 'ä'.repeat(limits.cellBytes / 2) })
    const wide = '😀'.repeat(limits.cellBytes / 4)
    for (const text of [`${full}x`, `${wide}x`, `ä${'x'.repeat(limits.cellBytes - 1)}`]) {
      for (const typecast of [false, true]) {
        await world.expectNoTrace(
          () => create([{ Name: 'a' }, { A: text }], { typecast }),
          invalidAt('records', 1, 'fields', 'A'),
        )
      }
      await world.expectNoTrace(() => update(id, { C: text }), invalidAt('record', 'fields', 'C'))
    }
    await update(id, { C: wide, D: full.slice(2), Name: 'ab' })
    const over = invalidAt('record', 'fields')
    await world.expectNoTrace(() => update(id, { E: 'x' }), over)
    await world.expectNoTrace(() => update(id, { Name: 'abc' }), over)
    await update(id, { A: null, E: full })
    const [all] = ['A', 'B', 'C', 'D', 'E'].map(() => full)
    await world.expectNoTrace(
      () => create([{ A: all, B: all, C: all, D: all, E: 'x' }]),
      invalidAt('records', 0, 'fields'),
    )
  })

  test('[RECORD-7] counts defaults too', async () => {
    // Five times three bytes a character, and once one: as many as a record may have.
    for (const letter of '€€€€€x') {
      const options = { defaultValue: letter.repeat(limits.defaultTextLength) }
      await addField({ type: 'longText', options })
    }
    await create([{}])
    await world.expectNoTrace(() => create([{ Name: 'a' }]), invalidAt('records', 0, 'fields'))
  })

  test('[RECORD-9] gives new records the defaults of their fields', async () => {
    const definitions = [
      { type: 'singleLineText', name: 'Line', options: { defaultValue: 'a\nb' } },
      { type: 'longText', options: { defaultValue: 'a\nb' } },
      { type: 'number', options: { defaultValue: -0 } },
      { type: 'singleSelect', options: { choices: [{ name: 'x' }], defaultValue: 'x' } },
      { type: 'multipleSelect', options: { choices: [{ name: 'x' }], defaultValue: ['x'] } },
      { type: 'checkbox', options: { defaultValue: true } },
      { type: 'date', options: { defaultValue: 'now' } },
      { type: 'user', options: { defaultValue: 'me' } },
    ]
    for (const definition of definitions) await addField(definition)
    const bob = await world.newCollaborator('Boris', 'editor')
    world.clock.advance(1)
    const records = [{ fields: { Name: 'a' } }]
    const made = (await bob.api.records.createRecords({ tableId, records })).records[0]
    expect(made?.fields).toEqual({
      Name: 'a',
      Line: 'a b',
      Notes: 'a\nb',
      Number: 0,
      Select: 'x',
      Tags: ['x'],
      Done: true,
      Date: new Date(world.clock.now()).toISOString(),
      Collaborator: shownUser(bob, 'boris'),
    })
    const empty = Object.fromEntries(Object.keys(made?.fields ?? {}).map((key) => [key, null]))
    expect((await createOne(empty)).fields).toEqual({})
    expect((await createOne({ Line: '', Tags: [], Done: false, ...{} })).fields).not.toHaveProperty(
      'Done',
    )
  })

  test('[RECORD-10] keeps values of a unique field apart', async () => {
    await addField({ type: 'singleLineText', name: 'Key', unique: true })
    await addField({ type: 'number', name: 'Code', unique: true })
    await addField({ type: 'date', unique: true })
    const [a, b, c] = (
      await create([{ Key: 'a', Code: 1, Date: '2024-03-05' }, { Key: 'A', Code: 0.1 }, {}, {}])
    ).records
    const refusals: readonly (readonly [readonly object[], number, string])[] = [
      [[{ Key: 'b' }, { Key: ' a ' }], 1, 'Key'],
      [[{ Code: 2 }, { Code: 0.1 }], 1, 'Code'],
      [[{ Code: 5 }, { Code: 3 }, { Code: 5.0 }], 2, 'Code'],
      [[{ Date: '2024-03-05T00:00:00Z' }], 0, 'Date'],
    ]
    for (const [rows, row, key] of refusals) {
      await world.expectNoTrace(() => create(rows), invalidAt('records', row, 'fields', key))
    }
    await world.expectNoTrace(
      () => update(c?.id ?? '', { Key: 'A' }),
      invalidAt('record', 'fields', 'Key'),
    )
    await update(a?.id ?? '', { Key: 'a', Code: 1, Name: 'same' })
    await update(a?.id ?? '', { Key: 'z' })
    await update(b?.id ?? '', { Key: 'a' })
    await api.records.deleteRecord({ tableId, recordId: b?.id ?? '' })
    await create([{ Key: 'a', Code: 0.1 }, { Key: 'A' }])
  })

  test('[RECORD-11] keeps required cells filled', async () => {
    const options = { defaultValue: 'me' }
    await addField({ type: 'user', name: 'Owner', notNull: true, options })
    await addField({
      type: 'singleSelect',
      name: 'State',
      notNull: true,
      options: { choices: [{ name: 'x' }] },
    })
    const { id } = await createOne({ State: 'x' })
    for (const key of ['Owner', 'State']) {
      const issue = invalidAt('record', 'fields', key)
      await world.expectNoTrace(() => update(id, { Name: 'a', [key]: null }), issue)
      await world.expectNoTrace(() => update(id, { [key]: '' }, { typecast: true }), issue)
    }
    await world.expectNoTrace(() => create([{ State: 'x' }, { Owner: null }]), {
      data: {
        issues: ['Owner', 'State'].map((key) =>
          expect.objectContaining({ path: ['records', 1, 'fields', key] }),
        ),
      },
    })
    await update(id, { Name: 'a' })
  })

  test('[RECORD-12] lets one of many at one time have a unique value', async () => {
    await addField({ type: 'longText', name: 'Key', unique: true })
    const long = 'x'.repeat(10_000)
    const calls = Array.from({ length: 8 }, (_, n) => create([{ Key: long, Count: n }]))
    const outcomes = await Promise.allSettled(calls)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(7)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'validation_error' })
    expect((await api.records.listRecords({ tableId })).records).toHaveLength(1)
  })

  test('[RECORD-12] has the storage refuse what no check has seen', async () => {
    await addField({ type: 'number', name: 'Key', unique: true })
    await addField({ type: 'number', name: 'Cost', notNull: true })
    const { id } = await createOne({ Key: 1, Cost: 1 })
    const write = (cells: (number | null)[]) =>
      world.engine.store.write(async (tx) => {
        const access = await tx.access.findTable(tableId, world.ada.userId, 'share')
        if (!access) throw new Error('the table is there')
        const schema = await tx.fields.schemaOf(access.table)
        const record = await tx.records.find(schema, id, 'none')
        if (!record) throw new Error('the record is there')
        const known = record.cells.slice(0, -2)
        await tx.recordWriter.insert(schema, [{ id: 'rec0', cells: [...known, ...cells] }], maker)
      })
    for (const cells of [
      [1, 1],
      [2, null],
    ]) {
      await world.expectNoTrace(() => write(cells), invalidAt())
    }
    await write([null, 1])
  })
})
