import { type Actor, anonymous } from '@gateleg/domain/access/actor'
import { TextStream } from '@gateleg/domain/answers/text-stream'
import { hashBase } from '@gateleg/domain/bases/canonical-form'
import { findProblems } from '@gateleg/domain/bases/operations/verify-base'
import { assert, DomainError } from '@gateleg/domain/errors'
import type { DomainEvent } from '@gateleg/domain/events/event'
import type { FieldType } from '@gateleg/domain/fields/field-type'
import { fieldTypes } from '@gateleg/domain/fields/field-types'
import type { Secrets } from '@gateleg/domain/secrets'
import { defaultSettings } from '@gateleg/domain/settings'
import type { Store } from '@gateleg/domain/store'
import { FixedClock } from '../doubles/fixed-clock.ts'
import { PlainPasswordHasher } from '../doubles/plain-password-hasher.ts'
import { SayingOpenIdClient } from '../doubles/saying-open-id-client.ts'
import { SeededIds } from '../doubles/seeded-ids.ts'
import { SeededRandom } from '../doubles/seeded-random.ts'
import { SeededSecrets } from '../doubles/seeded-secrets.ts'
import { openIdConfig } from '../factories/open-id-config.ts'
import { sharePassword } from '../operations/views.ts'
import { administrator, type Script, type Spoiling, type Step } from '../scripts/script.ts'
import { ScriptState } from '../scripts/script-state.ts'
import type { TestEngine, TestStorage } from '../test-engine.ts'
import { invitingAndPinning } from './inviting-and-pinning.ts'
import { scriptedOperations } from './scripted-operations.ts'

/** An engine whose answers depend on the script alone, and on the number of its run. */
export interface ScriptedEngine {
  readonly engine: TestEngine
  readonly clock: FixedClock
  readonly random: SeededRandom
  readonly secrets: Secrets
  readonly administratorId: string
  /** Resolves when every write that has begun has ended: some go on after the answer, which nobody waits for. */
  settled(): Promise<void>
}

/** What came of a step: the answer, or all that an error says, and the events that it caused. */
export interface Outcome {
  readonly step: Step
  readonly input: unknown
  readonly answer?: unknown
  readonly error?: { readonly code: string; readonly message: string; readonly data: unknown }
  /** What was thrown that no caller may get to see: a bug, on whatever storage. */
  readonly defect?: string
  readonly events: readonly DomainEvent[]
}

/** What is stored of a base at the end of a script, and what is wrong with it. */
interface BaseState {
  readonly baseId: string
  readonly hash: string
  readonly records: number
  readonly problems: readonly string[]
}

export interface ScriptRun {
  readonly outcomes: readonly Outcome[]
  readonly bases: readonly BaseState[]
}

/** Opens an engine on an empty storage, whose administrator is in no script but as the one who calls. */
export async function openScriptedEngine(
  storage: TestStorage,
  secrets: Secrets,
): Promise<ScriptedEngine> {
  const clock = new FixedClock()
  const random = new SeededRandom()
  random.restart(0)
  const seeded = new SeededSecrets(random, secrets)
  const passwords = new PlainPasswordHasher()
  const ports = {
    ...{ clock, ids: new SeededIds(random), secrets: seeded, passwords },
    ...{ openIdClient: new SayingOpenIdClient(), settings: { ...defaultSettings, publicUrl } },
  }
  const writes = new Set<Promise<unknown>>()
  const engine = await storage.open(ports, (store) => drawingAgain(store, random, writes))
  const first = await engine.public.accounts.signUp({ email: 'first@example.com', password })
  const settled = async () => void (await Promise.allSettled(writes))
  return { engine, clock, random, secrets: seeded, administratorId: first.id, settled }
}

/** A storage may run work again that others were in the way of: it makes the same ids again then. */
function drawingAgain(store: Store, random: SeededRandom, writes: Set<Promise<unknown>>): Store {
  return {
    read: (work) => store.read(work),
    giveWay: () => store.giveWay(),
    write: (work) => {
      let goBack: (() => void) | undefined
      const written = store.write((tx) => {
        if (goBack) goBack()
        else goBack = random.mark()
        return work(tx)
      })
      writes.add(written)
      const forget = () => writes.delete(written)
      written.then(forget, forget)
      return written
    },
  }
}

const password = 'correct horse 1'

/** Those who sign in by a provider come back there. */
const publicUrl = 'https://gateleg.example'

/** What the maker of an OAuth app says of it. */
const oauthSettings = {
  ...{ homepage: 'https://a.example', redirectUris: ['https://a.example/back'] },
  scopes: ['base|read', 'record|read'],
}

/**
 * What every script begins with: three people; two bases of the first of them, which the second may
 * edit, and one of which the third may see; in the other one a table with a field of every type that
 * needs no other, a folder with a dashboard, and a table that is linked to the first one, with fields
 * that read through the link; a grid, a form and a gallery of the first table that are shared, the last one under a
 * password; a view in the trash, and a file that no cell has yet; two workflows, charts of the first table on a dashboard
 * and a panel, a plugin that is published, with a view and a token, two entries of a menu, two login providers, by the
 * second of which somebody has signed up, two comments on one record, an access token, and
 * invitation links that were revoked.
 */
const beginning = numbered([
  { operation: 'accounts.signUp', actor: 3, args: { local: 'one', password } },
  { operation: 'accounts.signUp', actor: 3, args: { local: 'two', password } },
  { operation: 'accounts.signUp', actor: 3, args: { local: 'three', password } },
  { operation: 'spaces.listSpaces', actor: 0, args: {} },
  // A space more, which goes again: scripts rarely draw that somebody deletes one of theirs for good.
  { operation: 'spaces.createSpace', actor: 0, args: {} },
  { operation: 'spaces.deleteSpacePermanently', actor: 0, args: { space: 1 } },
  { operation: 'bases.createBase', actor: 0, args: { space: 0 } },
  { operation: 'bases.createBase', actor: 0, args: { space: 0 } },
  {
    operation: 'collaborators.addSpaceCollaborators',
    actor: 0,
    args: { place: 0, people: [1], role: 'editor' },
  },
  {
    operation: 'tables.createTable',
    actor: 0,
    args: {
      base: 0,
      fields: [
        ...[...fieldTypes].filter(isSelfReliant).map(([type, { choices }]) => ({
          type,
          name: type,
          ...(choices && { options: { choices: [{ name: 'a' }, { name: 'B' }, { name: 'c d' }] } }),
          ...(type === 'button' && { options: { resetCount: true } }),
        })),
        { type: 'singleLineText', name: 'key', unique: true },
      ],
    },
  },
  { operation: 'tree.listNodes', actor: 0, args: { base: 0 } },
  {
    operation: 'tree.createNode',
    actor: 0,
    args: { base: 0, resourceType: 'folder', name: 'Folder' },
  },
  {
    operation: 'tree.createNode',
    actor: 0,
    args: { base: 0, resourceType: 'dashboard', name: 'Board', parent: 0 },
  },
  {
    operation: 'tables.createTable',
    actor: 0,
    args: {
      base: 0,
      name: 'Linked',
      fields: [
        { type: 'singleLineText', name: 'Title' },
        {
          type: 'link',
          name: 'Link',
          clientId: 9,
          options: { relationship: 'manyMany' },
          link: { to: 0 },
        },
        { type: 'source', name: 'Lookup', isLookup: true, reading: { link: 0, source: 8 } },
        {
          type: 'rollup',
          name: 'Rollup',
          options: { expression: 'array_join({values})' },
          reading: { link: 0, source: 0 },
        },
        { type: 'formula', name: 'Formula', expression: '{any=0} & {any=1}' },
      ],
    },
  },
  { operation: 'fields.listFields', actor: 0, args: { table: 0 } },
  {
    operation: 'collaborators.addBaseCollaborators',
    actor: 0,
    args: { place: 1, people: [2], role: 'viewer' },
  },
  // The first view is the one that the table came with.
  ...(['grid', 'form', 'gallery'] as const).flatMap((type, index) => [
    { operation: 'views.createView' as const, actor: 0, args: { table: 0, type } },
    { operation: 'views.enableShare' as const, actor: 0, args: { table: 0, view: index + 1 } },
  ]),
  {
    operation: 'views.setShareMeta',
    actor: 0,
    args: { table: 0, view: 3, password: sharePassword },
  },
  { operation: 'views.setShareMeta', actor: 0, args: { table: 0, view: 1, allowCopy: true } },
  // The trash of a table has something, that of its base nothing any more, and a file waits for the cell that is to have it.
  { operation: 'views.createView', actor: 0, args: { table: 0, type: 'grid' } },
  { operation: 'views.deleteView', actor: 0, args: { table: 0, view: 4 } },
  { operation: 'trash.listTrashItems', actor: 0, args: { place: 0, ofBase: false } },
  { operation: 'trash.resetTrash', actor: 0, args: { place: 0, ofBase: true } },
  { operation: 'attachments.requestUpload', actor: 0, args: { base: 0, contentLength: 3 } },
  { operation: 'attachments.uploadContent', actor: 0, args: { nth: 0, content: 'one' } },
  // A workflow that is active, and one that waits for a token.
  ...(['recordCreated', 'webhook'] as const).map((type) => ({
    operation: 'workflows.createWorkflow' as const,
    actor: 0,
    args: {
      base: 0,
      name: type,
      trigger: { type, config: type === 'webhook' ? {} : { table: 0 } },
    },
  })),
  { operation: 'tree.listNodes', actor: 0, args: { base: 0 } },
  { operation: 'workflows.getWorkflow', actor: 0, args: { workflow: 0 } },
  { operation: 'workflows.getWorkflow', actor: 0, args: { workflow: 1 } },
  { operation: 'workflows.setWorkflowActive', actor: 0, args: { workflow: 0, method: 'activate' } },
  {
    operation: 'workflows.addAction',
    actor: 0,
    args: { workflow: 0, parent: 0, type: 'script', name: 'Script' },
  },
  {
    operation: 'workflows.addLogic',
    actor: 0,
    args: { workflow: 0, parent: 1, type: 'condition', name: 'If' },
  },
  {
    operation: 'workflows.updateLogic',
    actor: 0,
    args: { workflow: 0, node: 2, change: { name: 'If so' } },
  },
  // A chart of the first table on the dashboard, and one on a panel.
  {
    operation: 'dashboards.installOnDashboard',
    actor: 0,
    args: { dashboard: 0, plugin: 2, name: 'Chart' },
  },
  {
    operation: 'dashboards.setDashboardStorage',
    actor: 0,
    args: { install: 0, storage: { query: { from: 0 } } },
  },
  { operation: 'pluginPanels.createPanel', actor: 0, args: { table: 0, name: 'Panel' } },
  { operation: 'pluginPanels.installOnPanel', actor: 0, args: { panel: 0, plugin: 2 } },
  {
    operation: 'pluginPanels.setPanelStorage',
    actor: 0,
    args: { install: 1, storage: { query: { from: 0 } } },
  },
  { operation: 'pluginPanels.duplicatePanelInstall', actor: 0, args: { install: 1 } },
  { operation: 'pluginPanels.uninstallFromPanel', actor: 0, args: { install: 2 } },
  // A plugin that everybody may use, which shows a view and acts in the base, and two entries of a menu.
  {
    operation: 'plugins.createPlugin',
    actor: 0,
    args: { name: 'Slips', logo: 'https://p.example/logo.png', positions: ['view', 'panel'] },
  },
  { operation: 'plugins.submitPlugin', actor: 0, args: { plugin: 0 } },
  { operation: 'plugins.publishPlugin', actor: administrator, args: { plugin: 0 } },
  { operation: 'pluginViews.installAsView', actor: 0, args: { table: 0, plugin: 0 } },
  { operation: 'pluginGrants.createPluginCode', actor: 0, args: { plugin: 0, base: 0 } },
  {
    operation: 'pluginGrants.createPluginToken',
    actor: 3,
    args: { code: 0, secret: 1, scopes: ['base|read', 'table|read', 'record|read'] },
  },
  // An app that acts for somebody, one that was let and is no more, and one that is deleted.
  ...['Slips', 'Maps', 'Cards'].map((name) => ({
    operation: 'oauthClients.createClient' as const,
    actor: 0,
    args: { ...oauthSettings, name },
  })),
  { operation: 'oauthClients.deleteClient', actor: 0, args: { client: 2 } },
  {
    operation: 'oauthClients.updateClient',
    actor: 0,
    args: { client: 1, settings: { ...oauthSettings, name: 'Charts' } },
  },
  ...[0, 1].map((client) => ({
    operation: 'oauthClients.createSecret' as const,
    actor: 0,
    args: { client },
  })),
  ...[1, 0].flatMap((client) => [
    {
      operation: 'oauthGrants.startAuthorization' as const,
      actor: 0,
      args: { client, asked: { response_type: 'code' } },
    },
    { operation: 'oauthGrants.getAuthorization' as const, actor: 0, args: { question: 0 } },
    {
      operation: 'oauthGrants.decideAuthorization' as const,
      actor: 0,
      args: { question: 0, allow: true },
    },
  ]),
  { operation: 'oauthGrants.revokeClientAccess', actor: 0, args: { client: 1 } },
  { operation: 'oauthClients.deleteSecret', actor: 0, args: { secret: 1 } },
  {
    operation: 'oauthGrants.createTokens',
    actor: 3,
    args: { traded: 0, isRefresh: false, isProven: true },
  },
  {
    operation: 'oauthGrants.revokeToken',
    actor: 3,
    args: { token: 0, isProven: true, isGuess: true },
  },
  ...['One', 'Two'].map((name) => ({
    operation: 'contextMenus.installInContextMenu' as const,
    actor: 0,
    args: { table: 0, pluginId: 'plgcontextexample', name },
  })),
  {
    operation: 'loginProviders.createLoginProvider',
    actor: 0,
    args: {
      space: 0,
      name: 'Login',
      sent: { type: 'feishu', config: { appId: 'app', appSecret: 'secret' } },
    },
  },
  {
    operation: 'loginProviders.createLoginProvider',
    actor: 0,
    args: { space: 0, name: 'City account', sent: { type: 'oidc', config: openIdConfig } },
  },
  { operation: 'identities.startSignIn', actor: 3, args: { provider: 1, redirect: '/' } },
  {
    operation: 'identities.finishSignIn',
    actor: 3,
    args: { begun: 0, said: { subject: 'a', local: 'a', isEmailVerified: true } },
  },
  // The first person has an identity, too.
  {
    operation: 'identities.startLinking',
    actor: 4,
    args: { provider: 1, redirect: '/', password },
  },
  { operation: 'identities.finishSignIn', actor: 3, args: { begun: 0, said: { subject: 'b' } } },
  { operation: 'identities.listIdentities', actor: 4, args: {} },
  {
    operation: 'comments.createComment',
    actor: 0,
    args: { table: 0, record: 0, said: { text: 'One' } },
  },
  {
    operation: 'comments.createComment',
    actor: 1,
    args: { table: 0, record: 0, said: { text: 'Two' }, quote: 0 },
  },
  {
    operation: 'accessTokens.createToken',
    actor: 0,
    args: { name: 'Token', scopes: 'all', expiredTime: '2999-01-01' },
  },
  ...invitingAndPinning,
])

/** What every script ends with: nobody could call as them any more. */
const ending = numbered(
  [1, 2].map((actor) => ({ operation: 'accounts.deleteAccount', actor, args: { password } })),
  -1_000,
)

/** Whether fields of the type need no other field, nor a table to lead to. */
function isSelfReliant([, { derive }]: readonly [string, FieldType]): boolean {
  return derive === undefined
}

/** Gives steps places that no step of a script has. */
function numbered(steps: readonly Omit<Step, 'place'>[], first = -1): Script {
  return steps.map((step, index) => ({ place: first - index, ...step }))
}

/** Longer than any script takes; each begins at midnight, so that it meets the same times of day again. */
const periodMs = 100 * 86_400_000

/**
 * Runs the script in places of its own. Runs of one script under one number have equal outcomes, on any
 * storage; no number may be used twice on one engine.
 */
export async function runScript(
  scripted: ScriptedEngine,
  script: Script,
  run: number,
): Promise<ScriptRun> {
  scripted.random.run = run
  scripted.clock.advance(periodMs - (scripted.clock.now() % periodMs))
  const known = new ScriptState(`run${String(run).padStart(5, '0')}`)
  const outcomes: Outcome[] = []
  for (const step of [...beginning, ...script, ...ending]) {
    scripted.random.restart(step.place)
    outcomes.push(await runStep(scripted, known, step))
    await scripted.settled()
  }
  const bases: BaseState[] = []
  for (const { id } of known.bases.all) bases.push(await stateOf(scripted, id))
  return { outcomes, bases }
}

async function runStep(
  { engine, clock, administratorId }: ScriptedEngine,
  known: ScriptState,
  step: Step,
): Promise<Outcome> {
  const { operation, pauseMs = 0, ifMatch, idempotencyKey, windowId, spoiling } = step
  clock.advance(pauseMs)
  const scripted = scriptedOperations.get(operation)
  assert(scripted, `scripts know the operation ${operation}`)
  const input = spoil(scripted.toInput(step.args, known), spoiling)
  const options = {
    ...(ifMatch && { ifMatch }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(windowId && { windowId }),
  }
  const events: DomainEvent[] = []
  const unsubscribe = engine.subscribe((event) => events.push(event))
  try {
    const actor = await actorOf({ engine, administratorId }, known, step.actor)
    const answer = await whole(await engine.call(operation, actor, input, options))
    scripted.learn(known, answer, input)
    known.learnAvatars(answer)
    return { step, input, answer, events }
  } catch (error) {
    return { step, input, ...toRefusal(error), events }
  } finally {
    unsubscribe()
  }
}

/** A text that comes in parts as one, so that it can be compared. */
async function whole(answer: unknown): Promise<unknown> {
  if (!(answer instanceof TextStream)) return answer
  let text = ''
  for await (const part of answer) text += part
  return { fileName: answer.fileName, text }
}

function toRefusal(error: unknown): Pick<Outcome, 'error' | 'defect'> {
  if (!(error instanceof DomainError)) return { defect: String(error) }
  const { code, message, data } = error
  return { error: { code, message, data } }
}

/** Who calls, see `Step`. Who comes with a credential that is good for nothing is nobody. */
async function actorOf(
  { engine, administratorId }: Pick<ScriptedEngine, 'engine' | 'administratorId'>,
  known: ScriptState,
  actor: number,
): Promise<Actor> {
  if (actor === administrator) return { kind: 'user', userId: administratorId }
  const people = known.people.all
  if (actor < 3) return { kind: 'user', userId: people[actor]?.id ?? 'unknown' }
  if (actor === 3) return anonymous
  const credential = actor < 6 ? people[actor - 4]?.session : known.tokens.there.at(-1)?.text
  return (credential && (await engine.authenticate(credential))) || anonymous
}

function spoil(input: Readonly<Record<string, unknown>>, spoiling: Spoiling | undefined) {
  if (!spoiling) return input
  const members = [...Object.keys(input), 'name']
  const member = members[spoiling.member % members.length] as string
  return { ...input, [member]: spoiling.value }
}

function stateOf({ engine, secrets }: ScriptedEngine, baseId: string): Promise<BaseState> {
  return engine.store.read(async (tx) => {
    const structure = await tx.canonical.structure(baseId)
    const { hash, records } = await hashBase(tx, secrets, structure)
    return { baseId, hash, records, problems: findProblems(structure) }
  })
}
