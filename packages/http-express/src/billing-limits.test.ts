import { Plans } from '@gateleg/domain/billing/plans'
import type { PlanLimits } from '@gateleg/domain/billing/product'
import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { plansLimitedTo } from '@gateleg/testing/factories/plans-limited-to'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import type { TestRequest } from '@gateleg/testing/http/send-request'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { textFile } from '@gateleg/testing/worlds/place'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

const newcomer = 'new@example.com'
const formType = { 'Content-Type': 'multipart/form-data; boundary=xBoundaryx' }
const form =
  '--xBoundaryx\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nA note\r\n--xBoundaryx--\r\n'
const emptyRecords = (count: number) => Array.from({ length: count }, () => ({ fields: {} }))

describeOnEveryStorage('what the level of a space has no room for', (storage) => {
  let world: HttpWorld
  let plans: Plans
  let blobs: MemoryBlobStore
  let mailer: KeptMail
  let ada: Person
  let baseId: string
  let tableId: string
  let recordIds: readonly string[]

  beforeEach(async () => {
    plans = new Plans()
    blobs = new MemoryBlobStore()
    mailer = new KeptMail()
    const mail = { mailer, publicUrl: 'https://tables.example.com' }
    world = await openHttpWorld(storage, { ports: { plans, blobs, mail } })
    ada = await world.newPerson('Ada')
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId })).id
    const table = await ada.api.tables.createTable({ baseId, records: emptyRecords(2) })
    tableId = table.id
    recordIds = table.records.map(({ id }) => id)
  })
  afterEach(() => world.close())

  const limit = (to: Partial<PlanLimits>) => plans.replace(plansLimitedTo(to).catalogue)
  const usage = async () => {
    const path = `/api/space/${ada.spaceId}/usage`
    const answer = await world.sendAs(ada, { method: 'GET', path })
    return (answer.json() as { usage: object }).usage
  }
  const post = (path: string, body: object = {}): TestRequest => ({
    ...{ method: 'POST', path: `/api${path}`, body },
  })
  /** Sends what the limit is to refuse, and expects that nothing comes of it. */
  const expectRefused = async (
    name: keyof PlanLimits,
    request: TestRequest,
    person: Person = ada,
  ) => {
    const before = [await usage(), world.events.length]
    const { status, json } = await world.sendAs(person, request)
    const refusal = {
      ...{ status: 402, code: 'payment_required', data: expect.objectContaining({ limit: name }) },
      message: expect.stringContaining(`(${name})`),
    }
    expect([request.path, status, json()]).toEqual([request.path, 402, refusal])
    expect([await usage(), world.events.length]).toEqual(before)
  }
  const expectDone = async (request: TestRequest, person: Person = ada) => {
    const { status, text } = await world.sendAs(person, request)
    expect([request.path, status < 300 || text]).toEqual([request.path, true])
  }

  test('[BILL-6] records are refused with 402 and maxRows, whatever brings them', async () => {
    const [doomed = '', kept = ''] = recordIds
    const path = `/table/${tableId}/record`
    await expectDone({ method: 'DELETE', path: `/api${path}/${doomed}` })
    const inTable = { resourceId: tableId, resourceType: 'table' } as const
    const { trashItems } = await ada.api.trash.listTrashItems(inTable)
    limit({ maxRows: 1 })
    world.clock.advance(61_000)
    for (const request of [
      post(path, { records: emptyRecords(1) }),
      post(`${path}/${kept}/duplicate`),
      post(`/trash/restore/${trashItems[0]?.id}`),
      post(`/base/${baseId}/table`, { records: emptyRecords(1) }),
    ]) {
      await expectRefused('maxRows', request)
    }
    limit({ maxRows: 3 })
    await expectRefused('maxRows', post(path, { records: emptyRecords(3) }))
    await expectDone(post(path, { records: emptyRecords(2) }))
    expect(await usage()).toMatchObject({ rows: 3 })
    await expectDone({ method: 'DELETE', path: `/api${path}/${kept}` })
  })

  test('[BILL-7] files are refused with 402 and maxSizeAttachments, and not kept', async () => {
    const { attachments, fields } = ada.api
    const { id: fieldId } = await fields.createField({ tableId, type: 'attachment' })
    const recordId = recordIds[0] ?? ''
    await attachments.uploadAttachment({ tableId, recordId, fieldId, file: textFile })
    const contentType = 'text/plain'
    const said = { baseId, type: 1, contentType, contentLength: 6 } as const
    const { token } = await attachments.requestUpload(said)
    const cell = `/table/${tableId}/record/${recordId}/${fieldId}/uploadAttachment`
    const uploads: readonly TestRequest[] = [
      { ...post(cell), headers: formType, body: form },
      {
        ...{ method: 'PUT', path: `/api/attachments/upload/${token}`, body: 'Notes!' },
        headers: { 'Content-Type': contentType },
      },
    ]
    const blobPaths = async () => {
      const found: string[] = []
      for await (const page of blobs.list()) found.push(...page.map(({ path }) => path))
      return found
    }
    const before = await blobPaths()
    // No room for any byte, which is told before they come, and for fewer than come.
    for (const maxSizeAttachments of [6, 11]) {
      limit({ maxSizeAttachments })
      for (const upload of uploads) await expectRefused('maxSizeAttachments', upload)
    }
    expect(await blobPaths()).toEqual(before)
    limit({ maxSizeAttachments: 18 })
    for (const upload of uploads) await expectDone(upload)
    world.clock.advance(5_000)
    expect(await usage()).toMatchObject({ attachmentBytes: 18 })
  })

  test('[BILL-8] people are refused with 402 and maxCollaborators, however they would join', async () => {
    const { spaceId } = ada
    const { collaborators, invitationLinks } = ada.api
    const bob = await world.newPerson('Bob')
    const { invitationId, invitationCode } = await invitationLinks.createSpaceLink({
      ...{ spaceId, role: 'viewer' },
    })
    const mailed = { emails: [newcomer], role: 'viewer' as const }
    await collaborators.inviteToBase({ baseId, ...mailed })
    const token = mailer.tokenOf(newcomer)
    const invited = await world.newPerson('New')
    limit({ maxCollaborators: 1 })
    const role = 'viewer'
    const added = { role, collaborators: [{ principalId: bob.userId, principalType: 'user' }] }
    const byMail = { role, emails: [bob.email] }
    for (const place of [`/space/${spaceId}`, `/base/${baseId}`]) {
      await expectRefused('maxCollaborators', post(`${place}/collaborator`, added))
      await expectRefused('maxCollaborators', post(`${place}/invitation/email`, byMail))
    }
    const byLink = post('/invitation/link/accept', { invitationId, invitationCode })
    await expectRefused('maxCollaborators', byLink, bob)
    const accepted = post('/invitation/email/accept', { token })
    await expectRefused('maxCollaborators', accepted, invited)
    limit({ maxCollaborators: 3 })
    await expectDone(byLink, bob)
    await expectDone(accepted, invited)
    // Who is there already counts once.
    await expectDone(post(`/base/${baseId}/collaborator`, added))
    expect(await usage()).toMatchObject({ collaborators: 3 })
  })
})
