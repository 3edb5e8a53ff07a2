import { type Actor, isWithinReach, type KnownActor, type ShareActor } from '../access/actor.ts'
import { type Guard, requireScope } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import type { Base } from '../bases/base.ts'
import { DomainError, notFound } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import type { ShownView } from '../views/shown-schema.ts'
import type { View } from '../views/view.ts'
import { type ShareMeta, shareMetaOf, type ViewShare } from '../views/view-share.ts'

/** What a guard has found of the share that a call names. */
export interface ShareScope {
  /** A visitor, whoever called: what they see depends on the share alone. */
  readonly actor: ShareActor
  readonly share: ViewShare
  readonly meta: ShareMeta
  readonly base: Base
  readonly table: Table
  readonly view: View
  readonly only: ShownView
}

type ShareGuard<Scope = ShareScope> = Guard<{ shareId: string }, Scope>

const readsView: readonly Action[] = ['view|read', 'field|read']

/**
 * Finds the share, whether or not its password was given. A share that ended, or whose view, table, base or space was
 * deleted, is `not_found` in the same words as one that never was.
 */
export function onFoundShare(lock: Lock = 'none', actions = readsView): ShareGuard {
  return {
    requirement: { on: 'share', actions, sessionOnly: false },
    enter: async (tx, actor, { shareId }) => ({ scope: await findShare(tx, actor, shareId, lock) }),
  }
}

/** Lets visitors pass who gave the password, where one is asked for; else `unauthorized_share`. */
export function onShare(lock: Lock = 'none', actions = readsView): ShareGuard {
  const found = onFoundShare(lock, actions)
  return {
    requirement: found.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await found.enter(tx, actor, input)
      requireProven(scope)
      return { scope }
    },
  }
}

/** Lets visitors of a share pass to what the records of its view tell: of a share that shows none, nothing. */
export function onSharedRecords(): ShareGuard {
  const share = onShare('none', ['record|read'])
  return {
    requirement: share.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await share.enter(tx, actor, input)
      if (!scope.meta.includeRecords) throw refused('This share shows no records')
      return { scope }
    },
  }
}

/** Lets visitors of a share copy its cells, where it shows records and allows that. */
export function onCopiedShare(): ShareGuard {
  const records = onSharedRecords()
  return {
    requirement: records.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await records.enter(tx, actor, input)
      if (!scope.meta.allowCopy) throw refused('This share does not allow copying')
      return { scope }
    },
  }
}

/** What a guard has found of a form that is sent. */
export interface SharedFormScope extends ShareScope {
  /** Who signed in, where the form asks for that; else nobody asks. */
  readonly sender: KnownActor | undefined
}

/** Lets those pass who may send the form that is shared. */
export function onSharedForm(lock: Lock = 'none'): ShareGuard<SharedFormScope> {
  const share = onShare(lock, ['record|create'])
  return {
    requirement: { ...share.requirement, asksWho: true },
    enter: async (tx, actor, input) => {
      const { scope } = await share.enter(tx, actor, input)
      const { submit } = scope.meta
      if (!submit.allow) throw refused('This share does not accept records')
      const sender = submit.requireLogin ? await requireSender(tx, scope) : undefined
      return { scope: { ...scope, sender } }
    },
  }
}

/**
 * Lets those pass who may be told what stands in cells that are chosen from: of a form that is shared who may send it,
 * of another view who may see its records.
 */
export function onSharedChoices(): ShareGuard {
  const share = onShare()
  const [form, records] = [onSharedForm(), onSharedRecords()]
  return {
    requirement: { ...share.requirement, asksWho: true },
    enter: async (tx, actor, input) => {
      const { scope } = await share.enter(tx, actor, input)
      return (scope.view.type === 'form' ? form : records).enter(tx, actor, input)
    },
  }
}

async function findShare(
  tx: ReadTx,
  actor: Actor,
  shareId: string,
  lock: Lock,
): Promise<ShareScope> {
  const share = await tx.viewShares.findByShareId(shareId)
  // Nobody has a role by a link: where the table lies is all that is asked for.
  const access = share && (await tx.access.findTable(share.tableId, '', lock))
  const view = share && access && (await tx.views.find(share.tableId, share.viewId))
  if (!view) throw notFound('shared view', shareId)
  const meta = shareMetaOf(view.type, share)
  const only = { view, includesHidden: meta.includeHiddenField }
  const { base, table } = access
  return { actor: toVisitor(actor), share, meta, base, table, view, only }
}

function toVisitor(actor: Actor): ShareActor {
  if (actor.kind === 'share') return actor
  return actor.kind === 'anonymous' ? { kind: 'share' } : { kind: 'share', user: actor }
}

function requireProven({ share, actor: { proven } }: ShareScope): void {
  if (share.passwordTag === null) return
  if (proven?.shareId === share.shareId && proven.passwordTag === share.passwordTag) return
  throw new DomainError(
    'unauthorized_share',
    'This share asks for a password: send it to /view/auth of the share, then send the token of the answer with each request',
  )
}

async function requireSender(tx: ReadTx, { actor, base }: ShareScope): Promise<KnownActor> {
  const { user } = actor
  const isKnown = user && (await tx.users.livingAmong([user.userId])).has(user.userId)
  if (!isKnown) throw new DomainError('unauthorized', 'Sign in to send this form')
  requireScope(user, 'record|create')
  if (!isWithinReach(user, base.spaceId, base.id)) {
    throw refused('The access token does not reach the base of this form')
  }
  return user
}

function refused(message: string): DomainError {
  return new DomainError('restricted_resource', message)
}
