import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type ShownFile, textFile } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../../settings.ts'

const gone = { code: 'not_found' }
const hourMs = 3_600_000

describeOnEveryStorage('URLs of files', (storage) => {
  let world: TableWorld
  let table: TestTable
  let fieldId: string
  let file: ShownFile

  beforeAll(async () => {
    const settings = { ...defaultSettings, publicUrl: 'https://files.example.com/x' }
    world = await openTableWorld(storage, { settings })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    table = await world.makeNames('Notes', 'a', 'b')
    fieldId = (await world.addField(table, { type: 'attachment', name: 'Files' })).id
    const record = await world.api.attachments.uploadAttachment({ ...place(), file: textFile })
    file = (record.fields[fieldId] as readonly ShownFile[])[0] as ShownFile
  })
  afterEach(() => world.clear())

  const place = () => ({ tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId })
  const toInput = (url: string) => {
    const { pathname, searchParams } = new URL(url)
    const [, path = ''] = /^\/x\/api\/attachments\/read\/(.+)$/.exec(pathname) ?? []
    return { path, token: searchParams.get('token') ?? '' }
  }
  const read = async (url: string) => {
    const served = await world.engine.public.attachments.readAttachment(toInput(url))
    let text = ''
    for await (const piece of (await served.read()) ?? []) text += Buffer.from(piece).toString()
    return { name: served.name, mimetype: served.mimetype, size: served.size, text }
  }
  const shownTo = async ({ api }: Pick<Person, 'api'>, name = 'Files') => {
    const { tableId, recordId } = place()
    const { fields } = await api.records.getRecord({ tableId, recordId })
    return (fields[name] as readonly ShownFile[])[0]?.presignedUrl ?? ''
  }

  test('[ATTACH-18] [ATTACH-19] lead whoever has them to the file, under the name of its item', async () => {
    expect(await read(file.presignedUrl)).toEqual({
      ...{ name: 'note.txt', mimetype: 'text/plain', size: 6, text: 'A note' },
    })
    const { tableId } = place()
    const { records } = await world.api.records.listRecords({ tableId })
    expect(records[0]?.fields.Files).toEqual([file])
    await world.change(table, table.recordIds[0], { Files: [{ ...file, name: 'other.txt' }] })
    expect(await read(file.presignedUrl)).toMatchObject({ name: 'other.txt' })
  })

  test('[ATTACH-18] are shown in lookups, too', async () => {
    const options = { relationship: 'manyOne', foreignTableId: table.id, isOneWay: true }
    const link = await world.addField(table, { type: 'link', name: 'Boss', options })
    const lookupOptions = {
      ...{ foreignTableId: table.id, linkFieldId: link.id, lookupFieldId: fieldId },
    }
    await world.addField(table, {
      ...{ type: 'attachment', name: 'Theirs', isLookup: true, lookupOptions },
    })
    await world.change(table, table.recordIds[0], { Boss: { id: table.recordIds[0] } })
    const url = await shownTo(world.ada, 'Theirs')
    expect(url).not.toBe(file.presignedUrl)
    expect(await read(url)).toMatchObject({ text: 'A note' })
    await world.change(table, table.recordIds[0], { Boss: null })
    await expect(read(url)).rejects.toMatchObject(gone)
  })

  test('[ATTACH-20] expire, and stay the same for half of their time', async () => {
    const { presignedUrl } = file
    const startMs = world.clock.now()
    const leftMs = hourMs / 2 - (startMs % (hourMs / 2))
    world.clock.advance(leftMs - 1)
    expect(await shownTo(world.ada)).toBe(presignedUrl)
    world.clock.advance(1)
    expect(await shownTo(world.ada)).not.toBe(presignedUrl)
    world.clock.advance(hourMs / 2 - 1)
    expect(await read(presignedUrl)).toMatchObject({ text: 'A note' })
    world.clock.advance(1)
    await expect(read(presignedUrl)).rejects.toMatchObject({ code: 'restricted_resource' })
    world.clock.advance(startMs - world.clock.now())
  })

  test('[ATTACH-21] can not be changed to lead elsewhere, or last longer', async () => {
    const other = await world.api.attachments.uploadAttachment({
      ...place(),
      recordId: table.recordIds[1] ?? '',
      file: { ...textFile, stream: async function* () {} },
    })
    const [secret] = other.fields[fieldId] as readonly ShownFile[]
    const { path, token } = toInput(file.presignedUrl)
    const parts = token.split('.')
    const changed = parts.flatMap((part, index) => {
      const others = [part.slice(0, -1), `${part}0`, '', `${part.slice(0, -1)}_`]
      return others.map((one) => parts.with(index, one).join('.'))
    })
    const { readAttachment } = world.engine.public.attachments
    for (const one of [
      ...changed.filter((other) => other !== token),
      '',
      '.',
      'a.b',
      '\0',
      '\ud800',
      token.toUpperCase(),
    ]) {
      await expect(readAttachment({ path, token: one })).rejects.toMatchObject(gone)
    }
    for (const one of [secret?.path ?? '', `${path}/..`, `../${path}`, '', 'a'.repeat(2_000)]) {
      await expect(readAttachment({ path: one, token })).rejects.toMatchObject(gone)
    }
    expect(await readAttachment({ path, token })).toMatchObject({ name: 'note.txt' })
  })

  test('[ATTACH-22] end when the file leaves the cell, and when the record, field or table does', async () => {
    const endings: readonly (() => Promise<unknown>)[] = [
      () => world.change(table, table.recordIds[0], { Files: [] }),
      () => world.remove(table, table.recordIds[0]),
      () => world.api.fields.deleteField({ tableId: table.id, fieldId }),
      () => world.api.tables.deleteTable({ baseId: world.baseId, tableId: table.id }),
    ]
    for (const end of endings) {
      const fresh = await world.makeNames('Fresh', 'a')
      table = fresh
      fieldId = (await world.addField(fresh, { type: 'attachment', name: 'Files' })).id
      const { fields } = await world.api.attachments.uploadAttachment({
        ...place(),
        file: textFile,
      })
      const [{ presignedUrl = '' } = {}] = fields[fieldId] as readonly ShownFile[]
      expect(await read(presignedUrl)).toMatchObject({ text: 'A note' })
      await end()
      await expect(read(presignedUrl)).rejects.toMatchObject(gone)
    }
  })

  test('[ATTACH-22] end with the right of who was shown them, and with their access token', async () => {
    const eve = await world.newCollaborator(`Eve${storage.name}`, 'viewer')
    const url = await shownTo(eve)
    expect(await read(url)).toMatchObject({ text: 'A note' })
    const { baseId } = world
    await world.api.collaborators.removeBaseCollaborator({
      ...{ baseId, principalId: eve.userId, principalType: 'user' },
    })
    await expect(read(url)).rejects.toMatchObject(gone)
    expect(await read(await shownTo(world.ada))).toMatchObject({ text: 'A note' })

    const token = await world.api.accessTokens.createToken({
      ...{ name: 'Reader', scopes: ['record|read'], baseIds: [baseId], expiredTime: '2999-12-31' },
    })
    const actor = await world.engine.authenticate(token.token)
    const ofToken = await shownTo({ api: world.engine.as(actor as never) })
    expect(ofToken).not.toBe(await shownTo(world.ada))
    expect(await read(ofToken)).toMatchObject({ text: 'A note' })
    await world.api.accessTokens.deleteToken({ id: token.id })
    await expect(read(ofToken)).rejects.toMatchObject(gone)
  })

  test('[ATTACH-18] nothing of them is kept, and what is sent as one counts for nothing', async () => {
    const sent = { ...file, presignedUrl: 'https://evil.example.com' }
    const cells = await world.change(table, table.recordIds[0], { Files: [sent] })
    expect(cells.Files).toEqual([file])
    expect(await world.textsOf(table, 'Files')).toEqual([`note.txt (${file.token})`, null])
  })
})
