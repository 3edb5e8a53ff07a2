import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { purgeExpired } from '../jobs/purge-expired.ts'
import { limits } from '../limits.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hidden = { code: 'not_found' }
const tooMany = { code: 'too_many_requests' }
const newcomer = 'new@example.com'

describeOnEveryStorage('invitations by mail', (storage) => {
  let world: World
  let mailer: KeptMail
  let ada: Person
  let spaceId: string
  let baseId: string

  beforeEach(async () => {
    mailer = new KeptMail()
    const publicUrl = 'https://tables.example.com/work/'
    world = await openWorld(storage, { mail: { mailer, publicUrl } })
    ada = await world.newPerson('Ada')
    spaceId = ada.spaceId
    baseId = (await ada.api.bases.createBase({ spaceId })).id
  })
  afterEach(() => world.close())

  const invite = (emails: string[] = [newcomer], role: 'owner' | 'editor' = 'editor') =>
    ada.api.collaborators.inviteToSpace({ spaceId, emails, role })
  const accept = ({ api }: Person, token: string) => api.accounts.acceptInvitation({ token })
  const rolesInSpace = async () => {
    const listed = await ada.api.collaborators.listSpaceCollaborators({ spaceId })
    return Object.fromEntries(listed.collaborators.map(({ userName, role }) => [userName, role]))
  }
  const countOpen = (resourceType: 'space' | 'base', resourceId: string) =>
    world.engine.store.write((tx) =>
      tx.invitations.countOpen({ resourceType, resourceId }, '2026', []),
    )
  const openInvitations = () => countOpen('space', spaceId)

  test('[COLLABORATOR-17] mails those who have no account; the others join at once', async () => {
    const bob = await world.newPerson('Bob')
    const answer = await invite(['New@Example.com', bob.email])
    expect(answer).toEqual({
      'New@Example.com': {
        invitationId: expect.stringMatching(/^ivt/),
        expiresTime: '2026-01-08T00:00:00.000Z',
      },
      [bob.email]: { userId: bob.userId },
    })
    expect(mailer.mails).toMatchObject([{ to: newcomer }])
    expect(await rolesInSpace()).toEqual({ ada: 'owner', bob: 'editor' })
    const token = mailer.tokenOf(newcomer)
    expect(JSON.stringify(answer)).not.toContain(token)
    const stored = await world.engine.store.write((tx) => tx.invitations.find(token))
    expect(stored).toBeUndefined()
  })

  test('[COLLABORATOR-29] is not accepted by who is in too many spaces, and stays until they have left one', async () => {
    await invite()
    const person = await world.newPerson('New')
    const bob = await world.newPerson('Bob')
    const emails = [person.email]
    await bob.api.collaborators.inviteToSpace({ spaceId: bob.spaceId, emails, role: 'viewer' })
    const token = mailer.tokenOf(newcomer)
    await withLimits({ spacesJoined: 1 }, async () => {
      await expect(accept(person, token)).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['token'] }] },
      })
      await person.api.collaborators.removeSpaceCollaborator({
        spaceId: bob.spaceId,
        principalId: person.userId,
        principalType: 'user',
      })
      await accept(person, token)
    })
    expect(await rolesInSpace()).toEqual({ ada: 'owner', new: 'editor' })
  })

  test('[COLLABORATOR-24] the mail says who invites and how to accept, in no words of the inviter', async () => {
    await ada.api.accounts.changeName({ name: 'Win at evil.example' })
    await ada.api.spaces.renameSpace({ spaceId, name: 'Your prize waits' })
    await invite()
    const [mail] = mailer.mails
    const token = mailer.tokenOf(newcomer)
    expect(mail?.subject).toBe('Invitation to a space')
    expect(mail?.text).toContain(`https://tables.example.com/work/#invitation=${token}`)
    expect(mail?.text).toContain(ada.email)
    expect(mail?.text).toContain('the role "editor"')
    expect(mail?.text).not.toMatch(/evil|prize/)
  })

  test('[COLLABORATOR-18] stores nothing and lets nobody join when a mail fails', async () => {
    const bob = await world.newPerson('Bob')
    mailer.failsAfter = 1
    const call = invite([newcomer, 'other@example.com', bob.email])
    await expect(call).rejects.toMatchObject({ code: 'failed_dependency' })
    expect(mailer.mails).toHaveLength(1)
    expect(await openInvitations()).toBe(0)
    expect(await rolesInSpace()).toEqual({ ada: 'owner' })
    const person = await world.newPerson('New')
    await expect(accept(person, mailer.tokenOf(newcomer))).rejects.toMatchObject(hidden)
  })

  test('[COLLABORATOR-18] mails nobody when something of the request is refused', async () => {
    const bob = await world.newPerson('Bob')
    const eve = await world.newPerson('Eve')
    await invite([bob.email])
    const refusals: readonly (readonly [() => Promise<unknown>, object])[] = [
      [() => invite([newcomer, bob.email]), { code: 'validation_error' }],
      [
        () =>
          ada.api.collaborators.inviteToBase({
            baseId,
            emails: [newcomer, bob.email],
            role: 'viewer',
          }),
        { code: 'validation_error' },
      ],
      [() => invite([newcomer, 'usr1@user.invalid']), { code: 'validation_error' }],
      [
        () => bob.api.collaborators.inviteToSpace({ spaceId, emails: [newcomer], role: 'owner' }),
        { code: 'restricted_resource' },
      ],
      [
        () => eve.api.collaborators.inviteToBase({ baseId, emails: [newcomer], role: 'viewer' }),
        hidden,
      ],
      [
        () =>
          world.engine
            .as({ userId: 'usrNobody' })
            .collaborators.inviteToSpace({ spaceId, emails: [newcomer], role: 'viewer' }),
        { code: 'unauthorized' },
      ],
    ]
    for (const [call, refusal] of refusals) await expect(call()).rejects.toMatchObject(refusal)
    expect(mailer.mails).toEqual([])
  })

  test('[COLLABORATOR-17] is answered by the addresses as they were sent', async () => {
    const bob = await world.newPerson('Bob')
    const joiner = bob.email.toUpperCase()
    const sent = [joiner, 'New@Example.com', newcomer]
    const answer = await invite(sent)
    expect(Object.keys(answer)).toEqual(sent)
    expect(answer[joiner]).toEqual({ userId: bob.userId })
    expect(answer[newcomer]).toEqual(answer['New@Example.com'])
    expect(mailer.mails.map(({ to }) => to)).toEqual([newcomer])
    await accept(await world.newPerson('New'), mailer.tokenOf(newcomer))
    expect(await rolesInSpace()).toEqual({ ada: 'owner', bob: 'editor', new: 'editor' })
  })

  test('[COLLABORATOR-17] is mailed once under an Idempotency-Key', async () => {
    const input = { spaceId, emails: [newcomer], role: 'editor' as const }
    const call = () => ada.api.collaborators.inviteToSpace(input, { idempotencyKey: 'k1' })
    expect(await call()).toEqual(await call())
    expect(mailer.mails).toHaveLength(1)
  })

  test('[COLLABORATOR-19] is accepted once, by the account with the address', async () => {
    await invite()
    const person = await world.newPerson('New')
    const token = mailer.tokenOf(newcomer)
    await expect(person.api.spaces.getSpace({ spaceId })).rejects.toMatchObject(hidden)
    const results = await Promise.allSettled([1, 2, 3].map(() => accept(person, token)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { spaceId } },
    ])
    expect(await person.api.spaces.getSpace({ spaceId })).toMatchObject({ role: 'editor' })
    await ada.api.collaborators.removeSpaceCollaborator({
      spaceId,
      principalId: person.userId,
      principalType: 'user',
    })
    await expect(accept(person, token)).rejects.toMatchObject(hidden)
  })

  test('[COLLABORATOR-19] gives a role in one base alone, and keeps one that there is', async () => {
    const { inviteToBase } = ada.api.collaborators
    await inviteToBase({ baseId, emails: [newcomer], role: 'creator' })
    const token = mailer.tokenOf(newcomer)
    const person = await world.newPerson('New')
    await inviteToBase({ baseId, emails: [newcomer], role: 'viewer' })
    expect(await accept(person, token)).toEqual({ spaceId, baseId })
    expect(await person.api.bases.getBase({ baseId })).toMatchObject({ role: 'viewer' })
    await expect(person.api.spaces.getSpace({ spaceId })).rejects.toMatchObject(hidden)
    await expect(accept(person, token)).rejects.toMatchObject(hidden)
  })

  test('[COLLABORATOR-20] is nothing to others, with other tokens, and after seven days', async () => {
    await invite()
    const token = mailer.tokenOf(newcomer)
    const eve = await world.newPerson('Eve')
    const person = await world.newPerson('New')
    const refusal = await accept(eve, token).catch((error) => error)
    expect(refusal).toMatchObject(hidden)
    for (const other of ['', 'made up', `${token}x`]) {
      await expect(accept(person, other)).rejects.toMatchObject({ message: refusal.message })
    }
    world.clock.advance(limits.invitationDays * dayMs)
    await expect(accept(person, token)).rejects.toMatchObject({ message: refusal.message })
    world.clock.advance(-1)
    expect(await accept(person, token)).toEqual({ spaceId })
  })

  test('[COLLABORATOR-21] is no more when its inviter could not give the role any more', async () => {
    const bob = await world.newPerson('Bob')
    const { inviteToSpace, changeSpaceCollaborator, removeSpaceCollaborator } =
      ada.api.collaborators
    await inviteToSpace({ spaceId, emails: [bob.email], role: 'creator' })
    const target = { spaceId, principalId: bob.userId, principalType: 'user' as const }
    const emails = ['a@example.com', 'b@example.com', 'c@example.com']
    await bob.api.collaborators.inviteToSpace({ spaceId, emails, role: 'editor' })
    const people: Person[] = []
    for (const name of ['A', 'B', 'C']) people.push(await world.newPerson(name))
    const [a, b, c] = people as [Person, Person, Person]
    await changeSpaceCollaborator({ ...target, role: 'viewer' })
    await expect(accept(a, mailer.tokenOf(a.email))).rejects.toMatchObject(hidden)
    await changeSpaceCollaborator({ ...target, role: 'editor' })
    await expect(accept(a, mailer.tokenOf(a.email))).rejects.toMatchObject(hidden)
    expect(await accept(b, mailer.tokenOf(b.email))).toEqual({ spaceId })
    await removeSpaceCollaborator(target)
    await expect(accept(c, mailer.tokenOf(c.email))).rejects.toMatchObject(hidden)
    expect(await rolesInSpace()).toEqual({ ada: 'owner', b: 'editor' })
  })

  test('[COLLABORATOR-21] goes with its place, into the trash already', async () => {
    const { api } = ada
    const emails = ['other@example.com']
    const role = 'viewer'
    const other = (await api.bases.createBase({ spaceId })).id
    await api.collaborators.inviteToBase({ baseId, emails, role })
    const lost = mailer.tokenOf('other@example.com')
    await api.collaborators.inviteToBase({ baseId: other, emails, role })
    const gone = await world.newPerson('Other')
    expect([await countOpen('base', baseId), await countOpen('base', other)]).toEqual([1, 1])
    await api.bases.deleteBase({ baseId })
    await api.bases.deleteBasePermanently({ baseId: other })
    expect([await countOpen('base', baseId), await countOpen('base', other)]).toEqual([0, 0])
    await expect(accept(gone, lost)).rejects.toMatchObject(hidden)
    const { id } = await api.spaces.createSpace({ name: 'Short' })
    for (const space of [id, spaceId]) {
      await api.collaborators.inviteToSpace({ spaceId: space, emails: ['late@example.com'], role })
    }
    await api.spaces.deleteSpacePermanently({ spaceId: id })
    await api.spaces.deleteSpace({ spaceId })
    expect([await countOpen('space', id), await openInvitations()]).toEqual([0, 0])
  })

  test('[COLLABORATOR-21] to a base goes with the space of the base, and stays away when that is restored', async () => {
    const { api } = ada
    await api.collaborators.inviteToBase({ baseId, emails: [newcomer], role: 'viewer' })
    const token = mailer.tokenOf(newcomer)
    const person = await world.newPerson('New')
    await api.spaces.deleteSpace({ spaceId })
    const { trashItems } = await api.trash.listTrash({ resourceType: 'space' })
    const entry = trashItems.find(({ resourceId }) => resourceId === spaceId)
    await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    await expect(accept(person, token)).rejects.toMatchObject(hidden)
    expect(await countOpen('base', baseId)).toBe(0)
  })

  test('[COLLABORATOR-22] replaces the one that the address had to the place', async () => {
    await invite()
    const first = mailer.tokenOf(newcomer)
    await invite([newcomer], 'owner')
    expect(await openInvitations()).toBe(1)
    const person = await world.newPerson('New')
    await expect(accept(person, first)).rejects.toMatchObject(hidden)
    await accept(person, mailer.tokenOf(newcomer))
    expect(await rolesInSpace()).toEqual({ ada: 'owner', new: 'owner' })
  })

  test('[COLLABORATOR-22] are so many to a place, asked for at once or not', async () => {
    await withLimits({ invitationsPerResource: 3 }, async () => {
      const results = await Promise.allSettled(
        [1, 2, 3, 4, 5].map((number) => invite([`user${number}@example.com`])),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
      await expect(invite()).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['emails'] }] },
      })
      expect(await openInvitations()).toBe(3)
    })
  })

  test('[COLLABORATOR-23] are so many in a request, of a user, from an address and to one', async () => {
    const addresses = (count: number, by = 'x') =>
      Array.from({ length: count }, (_, index) => `${by}${index}@example.com`)
    await expect(invite(addresses(limits.invitationMailsPerRequest + 1))).rejects.toMatchObject({
      code: 'validation_error',
    })
    for (let round = 0; round < limits.invitationMailsPerEmail; round++) await invite()
    const sent = mailer.mails.length
    await expect(invite(['other@example.com', newcomer])).rejects.toMatchObject(tooMany)
    await withLimits({ invitationMailsPerUser: sent + 2 }, async () => {
      await expect(invite(addresses(3))).rejects.toMatchObject(tooMany)
      expect(mailer.mails).toHaveLength(sent)
      await invite(addresses(2))
      await expect(invite(['other@example.com'])).rejects.toMatchObject(tooMany)
    })
    const from = (address: string, email: string) => {
      const input = { spaceId, emails: [email], role: 'viewer' as const }
      return ada.api.collaborators.inviteToSpace(input, { origin: { address } })
    }
    world.clock.advance(limits.invitationMailHours * hourMs)
    await withLimits({ invitationMailsPerAddress: 1 }, async () => {
      await from('192.0.2.1', 'd@example.com')
      await expect(from('192.0.2.1', 'e@example.com')).rejects.toMatchObject(tooMany)
      await from('192.0.2.2', 'e@example.com')
    })
    await invite()
  })

  test('[COLLABORATOR-25] are removed when they have expired', async () => {
    await invite()
    const sweep = () =>
      world.engine.store.write((tx) =>
        purgeExpired.run({ tx, nowMs: world.clock.now(), jobId: 'job' } as never),
      )
    await sweep()
    expect(await openInvitations()).toBe(1)
    world.clock.advance(limits.invitationDays * dayMs + 1)
    await sweep()
    expect(await openInvitations()).toBe(0)
  })

  test('[COLLABORATOR-18] mails nobody when the version is not the one that was asked for', async () => {
    const { version } = await ada.api.spaces.getSpace({ spaceId })
    const input = { spaceId, emails: [newcomer], role: 'editor' as const }
    const inviteIf = (ifMatch: number, key: object = {}) =>
      ada.api.collaborators.inviteToSpace(input, { ifMatch: [ifMatch], ...key })
    await expect(inviteIf(version + 1)).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(mailer.mails).toEqual([])
    const once = { idempotencyKey: 'k1' }
    const answer = await inviteIf(version, once)
    await ada.api.spaces.renameSpace({ spaceId, name: 'Other' })
    expect(await inviteIf(version, once)).toEqual(answer)
    expect(mailer.mails).toHaveLength(1)
  })

  test('[COLLABORATOR-19] leaves the role that somebody has by the space', async () => {
    const { inviteToBase, removeSpaceCollaborator } = ada.api.collaborators
    await inviteToBase({ baseId, emails: [newcomer], role: 'editor' })
    const person = await world.newPerson('New')
    await invite([newcomer], 'owner')
    expect(await accept(person, mailer.tokenOf(newcomer))).toEqual({ spaceId, baseId })
    expect(await countOpen('base', baseId)).toBe(0)
    await removeSpaceCollaborator({
      spaceId,
      principalId: person.userId,
      principalType: 'user',
    })
    await expect(person.api.bases.getBase({ baseId })).rejects.toMatchObject(hidden)
  })

  test('[COLLABORATOR-26] are listed with who, what and until when, without tokens', async () => {
    const { listSpaceInvitations, listBaseInvitations, inviteToBase } = ada.api.collaborators
    const answer = await invite()
    world.clock.advance(dayMs)
    const second = 'second@example.com'
    await invite([second], 'owner')
    await inviteToBase({ baseId, emails: [newcomer], role: 'viewer' })
    const bob = await world.newPerson('Bob')
    await expect(bob.api.collaborators.listSpaceInvitations({ spaceId })).rejects.toMatchObject(
      hidden,
    )
    await expect(bob.api.collaborators.listBaseInvitations({ baseId })).rejects.toMatchObject(
      hidden,
    )
    await inviteToBase({ baseId, emails: [bob.email], role: 'viewer' })
    const listed = await listSpaceInvitations({ spaceId })
    expect(listed).toEqual([
      {
        ...answer[newcomer],
        email: newcomer,
        role: 'editor',
        createdBy: ada.userId,
        createdTime: '2026-01-01T00:00:00.000Z',
      },
      expect.objectContaining({ email: second, role: 'owner' }),
    ])
    expect(JSON.stringify(listed)).not.toContain(mailer.tokenOf(newcomer))
    expect(await bob.api.collaborators.listBaseInvitations({ baseId })).toMatchObject([
      { email: newcomer, role: 'viewer' },
    ])
    const byToken = world.engine.as({
      kind: 'token',
      userId: ada.userId,
      tokenId: 'acc0000000000000000',
      scopes: new Set(['space|invite_email'] as const),
    })
    const [shown] = await byToken.collaborators.listSpaceInvitations({ spaceId })
    expect(shown).toMatchObject({ role: 'editor' })
    expect(shown).not.toHaveProperty('email')
    world.clock.advance(6 * dayMs)
    expect(await listSpaceInvitations({ spaceId })).toMatchObject([{ email: second }])
    expect(await listBaseInvitations({ baseId })).toHaveLength(1)
  })

  test('[COLLABORATOR-27] are withdrawn by who made them, and by who may remove people', async () => {
    const people = ['Viewer', 'Creator', 'Owner'].map((name) => world.newPerson(name))
    const [viewer, creator, owner] = (await Promise.all(people)) as [Person, Person, Person]
    const { inviteToSpace } = ada.api.collaborators
    for (const [{ email }, role] of [
      [viewer, 'viewer'],
      [creator, 'creator'],
      [owner, 'owner'],
    ] as const) {
      await inviteToSpace({ spaceId, emails: [email], role })
    }
    const roleOf = {
      'a@example.com': 'viewer',
      'b@example.com': 'creator',
      'c@example.com': 'owner',
    }
    for (const [email, role] of Object.entries(roleOf)) {
      await inviteToSpace({ spaceId, emails: [email], role: role as 'viewer' })
    }
    await viewer.api.collaborators.inviteToSpace({
      spaceId,
      emails: ['d@example.com'],
      role: 'viewer',
    })
    const tokenOfA = mailer.tokenOf('a@example.com')
    const listed = await ada.api.collaborators.listSpaceInvitations({ spaceId })
    const withdraw = ({ api }: Person, email: string) =>
      api.collaborators.withdrawSpaceInvitation({
        spaceId,
        invitationId: listed.find((one) => one.email === email)?.invitationId ?? '',
      })
    const refused = { code: 'restricted_resource' }
    await expect(withdraw(viewer, 'a@example.com')).rejects.toMatchObject(refused)
    await withdraw(viewer, 'd@example.com')
    await withdraw(creator, 'a@example.com')
    const a = await world.newPerson('A')
    await expect(accept(a, tokenOfA)).rejects.toMatchObject(hidden)
    await expect(withdraw(creator, 'b@example.com')).rejects.toMatchObject(refused)
    await expect(withdraw(creator, 'c@example.com')).rejects.toMatchObject(refused)
    await withdraw(owner, 'b@example.com')
    await withdraw(owner, 'c@example.com')
    expect(await openInvitations()).toBe(0)
  })

  test('[COLLABORATOR-28] are nothing elsewhere, and no more after their end', async () => {
    const { withdrawSpaceInvitation, withdrawBaseInvitation, listBaseInvitations } =
      ada.api.collaborators
    const answer = await ada.api.collaborators.inviteToBase({
      baseId,
      emails: [newcomer],
      role: 'viewer',
    })
    const { invitationId } = answer[newcomer] as { readonly invitationId: string }
    const other = await ada.api.bases.createBase({ spaceId })
    for (const call of [
      () => withdrawSpaceInvitation({ spaceId, invitationId }),
      () => withdrawBaseInvitation({ baseId: other.id, invitationId }),
      () => withdrawBaseInvitation({ baseId, invitationId: 'ivt0' }),
    ]) {
      await expect(call()).rejects.toMatchObject(hidden)
    }
    expect(await listBaseInvitations({ baseId })).toHaveLength(1)
    await withdrawBaseInvitation({ baseId, invitationId })
    await expect(withdrawBaseInvitation({ baseId, invitationId })).rejects.toMatchObject(hidden)
    await ada.api.collaborators.inviteToBase({ baseId, emails: [newcomer], role: 'viewer' })
    const [open] = await listBaseInvitations({ baseId })
    world.clock.advance(limits.invitationDays * dayMs)
    const late = { baseId, invitationId: open?.invitationId ?? '' }
    await expect(withdrawBaseInvitation(late)).rejects.toMatchObject(hidden)
  })
})
