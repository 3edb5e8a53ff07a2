import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Mail } from '../accounts/mail/mailer.ts'
import { limits } from '../limits.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const newcomer = 'new@example.com'

describeOnEveryStorage('invitations of one address', (storage) => {
  let world: World
  let mails: Mail[]
  let ada: Person
  let spaceId: string
  let baseId: string

  beforeEach(async () => {
    mails = []
    const mailer = { send: async (mail: Mail) => void mails.push(mail) }
    world = await openWorld(storage, { mail: { mailer } })
    ada = await world.newPerson('Ada')
    spaceId = ada.spaceId
    baseId = (await ada.api.bases.createBase({ spaceId })).id
  })
  afterEach(() => world.close())

  test('[COLLABORATOR-22] are replaced by those alone who could withdraw them, in a space and in a base', async () => {
    const people = ['Viewer', 'Creator', 'Owner'].map((name) => world.newPerson(name))
    const [viewer, creator, owner] = (await Promise.all(people)) as [Person, Person, Person]
    for (const [{ email }, role] of [
      [viewer, 'viewer'],
      [creator, 'creator'],
      [owner, 'owner'],
    ] as const) {
      await ada.api.collaborators.inviteToSpace({ spaceId, emails: [email], role })
    }
    const refused = { code: 'restricted_resource' }
    const toSpace = ({ api }: Person, role: 'viewer' | 'editor' | 'creator', email = newcomer) =>
      api.collaborators.inviteToSpace({ spaceId, emails: ['other@example.com', email], role })
    const toBase = ({ api }: Person, role: 'viewer' | 'editor' | 'creator', email = newcomer) =>
      api.collaborators.inviteToBase({ baseId, emails: ['other@example.com', email], role })
    for (const again of [toSpace, toBase]) {
      await again(ada, 'creator')
      const { length } = mails
      await expect(again(viewer, 'viewer', 'NEW@example.com')).rejects.toMatchObject(refused)
      await expect(again(creator, 'editor')).rejects.toMatchObject(refused)
      expect(mails).toHaveLength(length)
      await again(owner, 'editor')
      await again(creator, 'viewer')
      await again(creator, 'editor')
      await expect(again(viewer, 'viewer')).rejects.toMatchObject(refused)
      world.clock.advance(limits.invitationDays * dayMs)
      await again(viewer, 'viewer')
      await again(viewer, 'viewer')
      world.clock.advance(limits.invitationMailHours * hourMs)
    }
  })
})
