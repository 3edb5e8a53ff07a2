import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { anonymous } from '../access/actor.ts'

describeOnEveryStorage('forms', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let other: TestTable
  let table: TestTable
  let viewId: string
  let shareId: string
  let ids: Record<'Title' | 'Pages' | 'Level' | 'Reader' | 'Author' | 'Owner' | 'Code', string>

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    other = await world.makeNames('Authors', 'Jane', 'Mary')
    table = await world.makeTable(
      'Wishes',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'number', name: 'Pages', options: { defaultValue: 7 } },
        {
          type: 'singleSelect',
          name: 'Level',
          options: { choices: [{ name: 'low' }, { name: 'high' }], defaultValue: 'low' },
        },
        { type: 'user', name: 'Reader' },
        {
          type: 'link',
          name: 'Author',
          options: { relationship: 'manyOne', foreignTableId: other.id },
        },
        { type: 'user', name: 'Owner', options: { isMultiple: true, defaultValue: ['me'] } },
        { type: 'singleLineText', name: 'Code', unique: true },
      ],
      [],
    )
    const fields = await api.fields.listFields({ tableId: table.id })
    ids = Object.fromEntries(fields.map(({ name, id }) => [name, id])) as typeof ids
    viewId = (await api.views.createView({ tableId: table.id, type: 'form' })).id
    await show('Level', { visible: false })
    await show('Owner', { visible: false })
    await show('Code', { visible: false })
    await show('Title', { required: true })
    shareId = (await api.views.enableShare(of())).shareId
  })

  const of = <More extends object>(more: More = {} as More) => ({
    tableId: table.id,
    viewId,
    ...more,
  })
  const show = (name: keyof typeof ids, columnMeta: Readonly<Record<string, unknown>>) =>
    api.views.setColumnMeta(of({ columnMeta: [{ fieldId: ids[name], columnMeta }] }))
  const submit = (fields: object, more: object = {}) =>
    api.records.submitForm(of({ fields, ...more }) as never)
  const send = (fields: object, more: object = {}) =>
    world.engine.public.shares.submitSharedForm({ shareId, fields, ...more } as never)
  const stored = async () => (await api.records.listRecords({ tableId: table.id })).records

  test.each([
    ['a visitor', undefined],
    ['somebody who is signed in', 'ada'],
  ])(
    '[CALL-1] [CALL-2] a form of %s is sent once under one key, and not under If-Match of another version',
    async (_, userId) => {
      const actor = userId === undefined ? anonymous : ({ kind: 'user', userId } as const)
      const sendAs = (title: string, options: object) => {
        const input = { shareId, fields: { [ids.Title]: title } }
        return world.engine.call('shares.submitSharedForm', actor, input, options)
      }
      await expect(sendAs('Emma', { ifMatch: [987_654] })).rejects.toMatchObject({
        code: 'precondition_failed',
      })
      const once = { idempotencyKey: `sent-once-${shareId}` }
      const first = await sendAs('Emma', once)
      expect(await sendAs('Emma', once)).toEqual(first)
      expect(await stored()).toHaveLength(1)
      await expect(sendAs('Persuasion', once)).rejects.toMatchObject({
        code: 'unprocessable_entity',
      })
    },
  )

  test('[SHARE-17] creates a record of what the form shows; all else gets its default', async () => {
    const sent = await submit({ [ids.Title]: 'Emma', [ids.Author]: { id: other.recordIds[0] } })
    expect(sent).toMatchObject({
      name: 'Emma',
      createdBy: 'ada',
      fields: {
        [ids.Title]: 'Emma',
        [ids.Pages]: 7,
        [ids.Author]: { id: other.recordIds[0], title: 'Jane' },
      },
    })
    expect(Object.keys(sent.fields)).toHaveLength(3)
    const [record] = await stored()
    expect(record?.id).toBe(sent.id)
    expect(record?.fields).toMatchObject({ Level: 'low', Owner: [{ title: 'ada' }] })
    const named = await submit({ Title: 'Sanditon' }, { fieldKeyType: 'name' })
    expect(named.fields).toEqual({ Title: 'Sanditon', Pages: 7 })
  })

  test('[SHARE-17] [SHARE-20] takes no values for fields that it does not show', async () => {
    for (const post of [submit, send]) {
      const told = async (key: string) => {
        const error = await post({ [ids.Title]: 'x', [key]: 'high' }).catch((error) => error)
        expect(error).toMatchObject({ code: 'not_found' })
        return JSON.stringify([error.message, error.data]).replaceAll(key, '')
      }
      expect(await told(ids.Level)).toBe(await told('fld0000000000000000'))
    }
    await expect(
      send({ Level: 'high', Title: 'x' }, { fieldKeyType: 'name' }),
    ).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no field with the name "Level" that you can see',
    })
    expect(await stored()).toEqual([])
  })

  test('[SHARE-17] refuses a view that is no form, and one there is not', async () => {
    const grid = await api.views.createView({ tableId: table.id, type: 'grid' })
    await expect(submit({}, { viewId: grid.id })).rejects.toMatchObject(invalidAt('viewId'))
    await expect(submit({}, { viewId: 'viw0' })).rejects.toMatchObject({ code: 'view_not_found' })
    shareId = (await api.views.enableShare(of({ viewId: grid.id }))).shareId
    await expect(send({})).rejects.toMatchObject({ code: 'restricted_resource' })
  })

  test('[SHARE-18] refuses a required field that stays empty', async () => {
    await show('Pages', { required: true })
    for (const post of [submit, send]) {
      for (const title of [{}, { [ids.Title]: null }]) {
        await world.expectNoTrace(() => post(title), invalidAt('fields', ids.Title))
      }
      await expect(post({ [ids.Pages]: null, [ids.Title]: '' })).rejects.toMatchObject({
        data: { issues: [{ path: ['fields', ids.Title] }, { path: ['fields', ids.Pages] }] },
      })
      expect(await post({ [ids.Title]: 'Filled' })).toMatchObject({ name: 'Filled' })
    }
    await show('Title', { visible: false })
    expect(await send({})).toMatchObject({ fields: { [ids.Pages]: 7 } })
  })

  test('[SHARE-100] gives the next record the next number after a form that was refused', async () => {
    for (const post of [submit, send]) {
      await post({ [ids.Title]: 'Before' })
      await expect(post({})).rejects.toMatchObject(invalidAt('fields', ids.Title))
      await post({ [ids.Title]: 'After' })
    }
    expect((await stored()).map(({ autoNumber }) => autoNumber)).toEqual([1, 2, 3, 4])
  })

  test('[VIEW-121] requires nothing of a button that it shows', async () => {
    const { id: fieldId } = await world.addField(table, { type: 'button', name: 'Order' })
    const columnMeta = [{ fieldId, columnMeta: { visible: true, required: true } }]
    await api.views.setColumnMeta(of({ columnMeta }))
    for (const post of [submit, send])
      expect(await post({ [ids.Title]: 'Filled' })).toMatchObject({ name: 'Filled' })
  })

  test('[SHARE-19] takes what visitors send, whose it is nobody knows', async () => {
    const fields = { [ids.Title]: 'Emma', [ids.Reader]: world.ada.userId }
    const sent = await send(fields)
    expect(sent).toEqual({
      id: expect.stringMatching(/^rec/),
      name: 'Emma',
      fields: {
        [ids.Title]: 'Emma',
        [ids.Pages]: 7,
        [ids.Reader]: { id: world.ada.userId, title: 'ada', avatarUrl: expect.any(String) },
      },
    })
    const asAda = await api.shares.submitSharedForm({ shareId, fields })
    expect(JSON.stringify(asAda)).not.toContain('@')
    for (const record of await stored()) {
      expect(record).toMatchObject({ createdBy: 'Unknown', lastModifiedBy: 'Unknown' })
      expect(record.fields).not.toHaveProperty('Owner')
    }
    await api.views.setShareMeta(of({ submit: { allow: false } }))
    await world.expectNoTrace(() => send(fields), { code: 'restricted_resource' })
  })

  test('[SHARE-19] asks visitors to sign in where the form says so', async () => {
    await api.views.setShareMeta(of({ submit: { requireLogin: true } }))
    const fields = { [ids.Title]: 'Mine' }
    await world.expectNoTrace(() => send(fields), { code: 'unauthorized' })
    const stranger = await world.newPerson(`Stranger${crypto.randomUUID()}`)
    await stranger.api.shares.submitSharedForm({ shareId, fields })
    const [record] = await stored()
    expect(record?.createdBy).toMatch(/^stranger/i)
    const as = (actor: object) => world.engine.as(actor as never).shares
    const token = { kind: 'token', userId: stranger.userId, tokenId: 'acc' }
    const refused = { code: 'restricted_resource' }
    for (const more of [
      { scopes: new Set(['record|read']) },
      { scopes: new Set(['record|create']), reach: { spaceIds: new Set(), baseIds: new Set() } },
    ]) {
      await world.expectNoTrace(
        () => as({ ...token, ...more }).submitSharedForm({ shareId, fields }),
        refused,
      )
    }
    await as({ ...token, scopes: new Set(['record|create']) }).submitSharedForm({ shareId, fields })
    await world.expectNoTrace(
      () => as({ userId: 'nobody' }).submitSharedForm({ shareId, fields }),
      { code: 'unauthorized' },
    )
  })

  test('[SHARE-20] names no field that the form does not show where the table refuses the record', async () => {
    await api.fields.createField({
      ...{ tableId: table.id, type: 'number', name: 'Hidden', notNull: true },
    })
    const refused = await send({ [ids.Title]: 'x' }).catch((error) => error)
    expect(refused).toMatchObject(invalidAt('fields'))
    expect(refused.message).not.toContain('Hidden')
    await expect(send({ [ids.Title]: 1, [ids.Pages]: 'x' })).rejects.toMatchObject({
      data: { issues: [{ path: ['fields', ids.Title] }, { path: ['fields', ids.Pages] }] },
    })
  })

  test('[SHARE-21] takes values as they are', async () => {
    await show('Level', { visible: true })
    await expect(send({}, { typecast: true })).rejects.toMatchObject(invalidAt('typecast'))
    await expect(send({ [ids.Title]: 'x', [ids.Level]: 'new' })).rejects.toMatchObject(
      invalidAt('fields', ids.Level),
    )
    await expect(send({ [ids.Title]: 'x', [ids.Reader]: world.ada.email })).rejects.toMatchObject(
      invalidAt('fields', ids.Reader),
    )
    expect(
      await submit({ [ids.Title]: 'x', [ids.Level]: 'new' }, { typecast: true }),
    ).toMatchObject({ fields: { [ids.Level]: 'new' } })
  })

  test('[SHARE-22] tells visitors what they may choose, and no more', async () => {
    const { shares } = world.engine.public
    const links = (fieldId: string, more: object = {}) =>
      shares.listSharedLinkRecords({ shareId, fieldId, ...more })
    expect(await links(ids.Author)).toEqual([
      { id: other.recordIds[0], title: 'Jane' },
      { id: other.recordIds[1], title: 'Mary' },
    ])
    expect(await links(ids.Author, { skip: 1, take: 1 })).toEqual([
      { id: other.recordIds[1], title: 'Mary' },
    ])
    const people = (fieldId: string) => shares.listSharedCollaborators({ shareId, fieldId })
    expect(await people(ids.Reader)).toContainEqual({
      ...{ userId: world.ada.userId, userName: 'ada' },
      avatar: expect.any(String),
    })
    expect(JSON.stringify(await people(ids.Reader))).not.toContain('@')
    const ofAuthors = { shareId, fieldId: ids.Author }
    const found = await shares.listSharedLinkRecords({ ...ofAuthors, search: 'MAR' })
    expect(found.map(({ title }) => title)).toEqual(['Mary'])
    const nobody = { shareId, fieldId: ids.Reader, search: 'nobody of that name' }
    expect(await shares.listSharedCollaborators(nobody)).toEqual([])
    const gone = { code: 'not_found' }
    for (const fieldId of [ids.Title, ids.Owner, ids.Reader, other.primaryId, 'fld0']) {
      await expect(links(fieldId)).rejects.toMatchObject(gone)
    }
    for (const fieldId of [ids.Title, ids.Owner, ids.Author]) {
      await expect(people(fieldId)).rejects.toMatchObject(gone)
    }
    await show('Author', { visible: false })
    await expect(links(ids.Author)).rejects.toMatchObject(gone)
    await api.views.setShareMeta(of({ includeHiddenField: true }))
    await expect(links(ids.Author)).rejects.toMatchObject(gone)
    await expect(people(ids.Owner)).rejects.toMatchObject(gone)
    await api.views.setShareMeta(of({ submit: { allow: false } }))
    await expect(people(ids.Reader)).rejects.toMatchObject({ code: 'restricted_resource' })
  })

  test('[SHARE-25] offers what the filter of the link lets through and nobody has, and takes nothing else', async () => {
    const { shares } = world.engine.public
    const named = (value: string) => ({
      conjunction: 'and',
      filterSet: [{ fieldId: other.primaryId, operator: 'is', value }],
    })
    const convert = (options: object) =>
      world.convert(table, 'Author', {
        type: 'link',
        options: { relationship: 'manyOne', foreignTableId: other.id, ...options },
      })
    const offered = async () =>
      (await shares.listSharedLinkRecords({ shareId, fieldId: ids.Author })).map(({ id }) => id)
    const [jane, mary] = other.recordIds
    const pick = (id: string | undefined) => send({ [ids.Title]: 'x', [ids.Author]: { id } })
    const refused = async (id = '') => {
      const none = 'rec0000000000000000'
      const told = async (one: string) => {
        const error = await pick(one).catch((error) => error)
        expect(error).toMatchObject(invalidAt('fields', ids.Author))
        return JSON.stringify([error.message, error.data]).replaceAll(one, '')
      }
      expect(await told(id)).toBe(await told(none))
    }
    await convert({ filter: named('Mary') })
    expect(await offered()).toEqual([mary])
    await refused(jane)
    await pick(mary)
    await convert({ relationship: 'oneOne' })
    expect(await offered()).toEqual([jane])
    await refused(mary)
    await pick(jane)
    expect(await offered()).toEqual([])
  })

  test("[SHARE-24] takes no files: none that is there is a visitor's", async () => {
    const file = await world.addField(table, { type: 'attachment', name: 'Files' })
    const { id: fieldId } = file
    await api.views.setColumnMeta(of({ columnMeta: [{ fieldId, columnMeta: { visible: true } }] }))
    const { ada, engine, clock } = world
    const createdTime = new Date(clock.now()).toISOString()
    const token = `known${table.id}`
    await engine.store.write((tx) =>
      tx.attachments.insert({
        ...{ token, spaceId: ada.spaceId, path: 'table/x', size: 1, mimetype: 'a/b' },
        ...{ width: null, height: null, createdBy: ada.userId, createdTime },
        attachedTime: createdTime,
      }),
    )
    const fields = { [ids.Title]: 'x', [fieldId]: [{ name: 'a', token }] }
    await world.expectNoTrace(() => send(fields), invalidAt('fields', fieldId))
    expect(await submit(fields)).toMatchObject({ fields: { [fieldId]: [{ token }] } })
  })

  test('[SHARE-24] takes no presses of buttons', async () => {
    const { id: fieldId } = await world.addField(table, { type: 'button', name: 'Press' })
    await api.views.setColumnMeta(of({ columnMeta: [{ fieldId, columnMeta: { visible: true } }] }))
    const fields = { [ids.Title]: 'x', [fieldId]: { count: 999 } }
    await world.expectNoTrace(() => send(fields), invalidAt('fields', fieldId))
    await send({ ...fields, [fieldId]: null })
  })

  test('[CALL-4] a key of one visitor is none of another one, nor of another share', async () => {
    const call = (title: string, address: string) =>
      world.engine.public.shares.submitSharedForm(
        { shareId, fields: { [ids.Title]: title } },
        { origin: { address }, idempotencyKey: 'one' },
      )
    const sent = await call('x', '192.0.2.1')
    expect(await call('x', '192.0.2.1')).toEqual(sent)
    expect((await call('x', '192.0.2.2')).id).not.toBe(sent.id)
    shareId = (await api.views.refreshShareId(of())).shareId
    expect((await call('y', '192.0.2.1')).name).toBe('y')
  })

  test('[SHARE-22] offers no records of another base, nor takes them', async () => {
    const { id: baseId } = await api.bases.createBase({ spaceId: world.ada.spaceId })
    const far = await world.makeTable(
      'Far',
      [{ type: 'singleLineText', name: 'Name' }],
      [{ Name: 'x' }],
      baseId,
    )
    const link = await world.addField(table, {
      ...{ type: 'link', name: 'Far' },
      options: { relationship: 'manyMany', foreignTableId: far.id, baseId, isOneWay: true },
    })
    await api.views.setColumnMeta(
      of({ columnMeta: [{ fieldId: link.id, columnMeta: { visible: true } }] }),
    )
    const { shares } = world.engine.public
    await expect(shares.listSharedLinkRecords({ shareId, fieldId: link.id })).rejects.toMatchObject(
      { code: 'not_found' },
    )
    await expect(
      send({ [ids.Title]: 'x', [link.id]: [{ id: far.recordIds[0] }] }),
    ).rejects.toMatchObject(invalidAt('fields', link.id))
  })
})
