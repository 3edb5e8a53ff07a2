import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { fileOf } from '@gateleg/testing/factories/file-of'
import { pngFile, pngOf } from '@gateleg/testing/factories/png-image'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { FileSource } from '../attachments/files/file-source.ts'
import { imageSizeOf } from '../attachments/files/image-size.ts'
import type { ServedFile } from '../attachments/served-file.ts'
import { noThumbnails } from '../attachments/thumbnails/thumbnail-maker.ts'
import { sweepBlobs } from '../attachments/unused/sweep-blobs.ts'
import { limits } from '../limits.ts'
import { defaultSettings } from '../settings.ts'
import { initialsAvatar } from './users/initials-avatar.ts'

const publicUrl = 'https://tables.example.com'
const ownUrl = /^https:\/\/tables\.example\.com\/api\/user\/avatar\/[0-9a-f]{64}$/

describeOnEveryStorage('pictures of users', (storage) => {
  let world: TableWorld
  let blobs: MemoryBlobStore
  let bob: Person
  let people = 0

  beforeAll(async () => {
    blobs = new MemoryBlobStore(() => world.clock.now())
    world = await openTableWorld(storage, { blobs, settings: { ...defaultSettings, publicUrl } })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    bob = await world.newPerson(`Bob${people++}`)
  })

  const send = (file: FileSource, { api } = bob) => api.accounts.changeAvatar({ file })
  const avatarOf = async ({ api } = bob) => (await api.accounts.getMe({})).avatar ?? ''
  const initialsOf = async ({ api } = bob) => initialsAvatar(await api.accounts.getMe({}))
  const read = (url: string): Promise<ServedFile> =>
    world.engine.public.accounts.readAvatar({ path: url.split('/').at(-1) ?? '' })
  const bytesOf = async (url: string) => {
    const pieces: Uint8Array[] = []
    for await (const piece of (await (await read(url)).read()) ?? []) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const paths = async () => {
    const found: string[] = []
    for await (const page of blobs.list()) found.push(...page.map(({ path }) => path))
    return found.toSorted()
  }
  const refusedAt = (issue: object) => ({
    code: 'validation_error',
    data: { issues: [expect.objectContaining({ path: ['file'], ...issue })] },
  })

  test('[ACCOUNT-61] are made of an image that is sent, small and anew', async () => {
    await send(pngFile('me.exe', 1_000, 500))
    const url = await avatarOf()
    expect(url).toMatch(ownUrl)
    const served = await read(url)
    const bytes = await bytesOf(url)
    expect(imageSizeOf(bytes, 'image/webp')).toEqual({ width: 256, height: 128 })
    expect({ ...served, isShown: served.isShown() }).toEqual({
      ...{ name: 'avatar.webp', mimetype: 'image/webp', size: bytes.length, isShown: true },
      form: undefined,
    })
    // Of what was sent nothing is kept.
    expect((await paths()).length).toBe(1)
  })

  test('[ACCOUNT-61] take a session', async () => {
    const { token } = await bob.api.accessTokens.createToken({
      ...{ name: 'All', scopes: ['space|read'], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const actor = await world.engine.authenticate(token)
    const { accounts } = world.engine.as(actor ?? { userId: '' })
    let isRead = false
    const file = {
      name: 'me.png',
      stream: async function* () {
        isRead = true
        yield pngOf(4, 4)
      },
    }
    const refusal = { code: 'restricted_resource' }
    await expect(accounts.changeAvatar({ file })).rejects.toMatchObject(refusal)
    await expect(accounts.removeAvatar({})).rejects.toMatchObject(refusal)
    expect(isRead).toBe(false)
  })

  test('[ACCOUNT-62] are made of images alone, whatever they are called', async () => {
    await send(pngFile('me.png', 4, 4))
    const before = [await avatarOf(), await paths()]
    const png = pngOf(40, 40)
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const others: readonly Uint8Array[] = [
      Buffer.alloc(0),
      latin('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      latin('%PDF-1.7'),
      latin('GIF89a\x28\0\x1e\0'),
      latin('\x89PNG\r\n\x1a\n'),
      Buffer.concat([png.subarray(0, 40), latin('<script>alert(1)</script>')]),
      png.subarray(0, png.length - 30),
      pngOf(8_193, 8_192),
    ]
    for (const bytes of others) {
      const file = { name: 'me.png', stream: () => once(bytes) }
      await expect(send(file)).rejects.toMatchObject(refusedAt({}))
    }
    expect([await avatarOf(), await paths()]).toEqual(before)
    await expect(send(fileOf('me.png', 'text'))).rejects.toMatchObject(
      refusedAt({ message: expect.stringMatching(/^must be one of image\/jpeg, image\/png, /) }),
    )
    await expect(bob.api.accounts.changeAvatar({} as never)).rejects.toMatchObject(refusedAt({}))
  })

  test('[ACCOUNT-62] are made of so many bytes, and so often', async () => {
    const before = await paths()
    await withLimits({ avatarFileBytes: 50 }, () =>
      expect(send(pngFile('me.png', 40, 40))).rejects.toMatchObject({ code: 'payload_too_large' }),
    )
    await withLimits({ avatarChanges: 3 }, async () => {
      await send(pngFile('me.png', 4, 4))
      await expect(send(fileOf('me', 'text'))).rejects.toMatchObject(refusedAt({}))
      await expect(send(pngFile('me.png', 4, 4))).rejects.toMatchObject({
        code: 'too_many_requests',
        data: { retryAfterSeconds: limits.avatarChangeMinutes * 60 },
      })
      await send(pngFile('me.png', 4, 4), await world.newPerson(`Eve${people++}`))
      world.clock.advance(limits.avatarChangeMinutes * 60_000 + 1)
      await send(pngFile('me.png', 4, 4))
    })
    expect((await paths()).length).toBe(before.length + 3)
  })

  test('[ACCOUNT-62] that can’t be kept are refused, and leave nothing', async () => {
    const before = await paths()
    const avatar = await avatarOf()
    const { api } = bob
    const ifMatch = [999]
    const refused = api.accounts.changeAvatar({ file: pngFile('me.png', 4, 4) }, { ifMatch })
    await expect(refused).rejects.toMatchObject({ code: 'precondition_failed' })
    const breaking = {
      name: 'me.png',
      stream: async function* () {
        yield pngOf(4, 4).subarray(0, 20)
        throw new Error('the caller is gone')
      },
    }
    await expect(send(breaking)).rejects.toThrow('the caller is gone')
    expect([await paths(), await avatarOf()]).toEqual([before, avatar])
  })

  test('[ACCOUNT-63] are shown by their URL wherever users are', async () => {
    const { ada, api, baseId } = world
    await send(pngFile('me.png', 4, 4), { ...bob, api })
    const avatar = await avatarOf({ ...bob, api })
    expect(avatar).toMatch(ownUrl)
    const { userId } = ada
    const table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'user', name: 'Reader' },
      ],
      [{ Title: 'Emma', Reader: { id: userId } }],
    )
    const [recordId = ''] = table.recordIds
    const { id: tableId } = table
    expect((await world.recordOf(table, recordId)).Reader).toMatchObject({ avatarUrl: avatar })
    const shown = async (answer: Promise<unknown>) =>
      expect(JSON.stringify(await answer)).toContain(`"${avatar}"`)
    const content = [{ type: 'p' as const, children: [{ type: 'span' as const, value: 'Good' }] }]
    await shown(api.comments.createComment({ tableId, recordId, content }))
    await shown(api.comments.listComments({ tableId, recordId }))
    await shown(api.collaborators.listBaseCollaborators({ baseId }))
    await shown(api.collaborators.listBaseUsers({ baseId }))
    await shown(api.accounts.getUser({}))
    await shown(api.records.listRecords({ tableId }))
    await shown(api.records.updateRecord({ tableId, recordId, record: { fields: { Title: 'E' } } }))
    const { id: fieldId } = await world.fieldOf(table, 'Reader')
    await shown(api.records.listNamedPeople({ tableId, fieldId }))
    await shown(world.engine.public.accounts.signIn({ email: ada.email, password: testPassword }))
    await api.records.deleteRecord({ tableId, recordId })
    await shown(api.trash.listTrashItems({ resourceId: tableId, resourceType: 'table' }))
    const trigger = { type: 'recordCreated', config: { tableId } } as const
    const { id: workflowId } = await api.workflows.createWorkflow({ baseId, trigger })
    await api.workflows.setWorkflowActive({ baseId, workflowId, method: 'activate' })
    await shown(api.workflows.getWorkflow({ baseId, workflowId }))
    await world.add(table, { Title: 'Emma', Reader: { id: userId } })
    const [view] = await api.views.listViews({ tableId })
    const { shareId } = await api.views.enableShare({ tableId, viewId: view?.id ?? '' })
    const { shares } = world.engine.public
    await shown(shares.getSharedView({ shareId }))
    await shown(shares.listSharedRecords({ shareId }))
    await shown(shares.listSharedCollaborators({ shareId, fieldId }))
    await api.accounts.removeAvatar({})
  })

  test('[ACCOUNT-63] are gone once another one is there, and are guessed by nobody', async () => {
    await send(pngFile('me.png', 4, 4))
    const first = await avatarOf()
    await send(pngFile('me.png', 4, 4))
    const second = await avatarOf()
    expect(second).not.toBe(first)
    const gone = { code: 'not_found' }
    await expect(read(first)).rejects.toMatchObject(gone)
    await expect(read(`${second}0`)).rejects.toMatchObject(gone)
    await expect(read(bob.userId)).rejects.toMatchObject(gone)
    // The key of bytes in the blob store, which others may know, leads nowhere.
    for (const path of await paths()) await expect(read(path)).rejects.toMatchObject(gone)
    expect((await read(second)).mimetype).toBe('image/webp')
  })

  test('[ACCOUNT-64] are those of initials again once they are removed', async () => {
    const initials = await initialsOf()
    expect(await avatarOf()).toBe(initials)
    const { version } = await bob.api.accounts.getMe({})
    await bob.api.accounts.removeAvatar({})
    expect((await bob.api.accounts.getMe({})).version).toBe(version)
    await send(pngFile('me.png', 4, 4))
    const own = await avatarOf()
    await bob.api.accounts.changeName({ name: 'Bob the Builder' })
    expect(await avatarOf()).toBe(own)
    await bob.api.accounts.removeAvatar({})
    expect(await avatarOf()).toBe(await initialsOf())
    expect(await avatarOf()).toContain('BB')
    await expect(read(own)).rejects.toMatchObject({ code: 'not_found' })
  })

  const sweep = async () => {
    await world.finishJobs()
    return sweepBlobs({ store: world.engine.store, blobs, clock: world.clock })
  }
  const passDays = () => world.clock.advance(2 * limits.unusedFileHours * 3_600_000)

  test('[ACCOUNT-65] leave no bytes behind that nobody has, and lose none that somebody has', async () => {
    passDays()
    await sweep()
    const others = await paths()
    await send(pngFile('me.png', 4, 4))
    const [first] = (await paths()).filter((path) => !others.includes(path))
    passDays()
    expect(await sweep()).toBe(0)
    await send(pngFile('me.png', 5, 5))
    expect(await paths()).toContain(first)
    passDays()
    expect(await sweep()).toBe(1)
    expect(await paths()).not.toContain(first)
    expect((await bytesOf(await avatarOf())).length).toBeGreaterThan(0)
    await bob.api.accounts.removeAvatar({})
    passDays()
    expect(await sweep()).toBe(1)
    expect(await paths()).toEqual(others)
  })

  test('[ATTACH-57] are changed, and refused, as they would be where bytes can not be removed', async () => {
    passDays()
    await sweep()
    const removing = vi.spyOn(blobs, 'remove').mockRejectedValue(new Error('out of reach'))
    const noImage = { name: 'me.png', stream: () => once(Buffer.from('none')) }
    await expect(send(noImage)).rejects.toMatchObject(refusedAt({}))
    await send(pngFile('me.png', 4, 4))
    expect(removing).toHaveBeenCalledTimes(2)
    removing.mockRestore()
    expect((await bytesOf(await avatarOf())).length).toBeGreaterThan(0)
    passDays()
    expect(await sweep()).toBe(2)
    expect((await bytesOf(await avatarOf())).length).toBeGreaterThan(0)
  })

  test('[ACCOUNT-66] end with the account', async () => {
    await send(pngFile('me.png', 4, 4))
    const url = await avatarOf()
    const session = await world.engine.public.accounts.signIn({
      ...{ email: bob.email, password: testPassword },
    })
    await bob.api.accounts.deleteAccount({ password: testPassword })
    expect(session.avatar).toBe(url)
    await expect(read(url)).rejects.toMatchObject({ code: 'not_found' })
    passDays()
    expect(await sweep()).toBe(1)
  })
})

describeOnEveryStorage('a service that reads no images', (storage) => {
  test('[ACCOUNT-62] keeps no pictures, and shows paths where it doesn’t know its address', async () => {
    const without = await openTableWorld(storage, { thumbnails: noThumbnails })
    const file = pngFile('me.png', 4, 4)
    await expect(without.api.accounts.changeAvatar({ file })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    await without.close()
    const world = await openTableWorld(storage)
    await world.api.accounts.changeAvatar({ file })
    const { avatar } = await world.api.accounts.getMe({})
    expect(avatar).toMatch(/^\/api\/user\/avatar\/[0-9a-f]{64}$/)
    await world.close()
  })
})

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
