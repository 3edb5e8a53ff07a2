import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { ResourceType } from '@gateleg/domain/tree/tree-node'
import type { CellValueType } from '@gateleg/domain/values/value-type'
import type { Ref } from './script.ts'

interface Thing {
  readonly id: string
}

/** The things of one kind: those that are there, and those that are gone. */
class EntityPool<T extends Thing> {
  readonly #there: T[] = []
  readonly #gone: T[] = []

  get there(): readonly T[] {
    return this.#there
  }

  /** Those that are there, then those that are gone. */
  get all(): readonly T[] {
    return [...this.#there, ...this.#gone]
  }

  /** Takes a thing in; one that is there already is known anew in its place. */
  add(thing: T): void {
    const index = this.#there.findIndex(({ id }) => id === thing.id)
    if (index >= 0) this.#there[index] = thing
    else if (!this.#gone.some(({ id }) => id === thing.id)) this.#there.push(thing)
  }

  drop(id: string): void {
    const index = this.#there.findIndex((thing) => thing.id === id)
    if (index >= 0) this.#gone.push(...this.#there.splice(index, 1))
  }

  find(ref: Ref): T | undefined {
    if (ref === -1) return undefined
    const [list, index] = ref >= 0 ? [this.#there, ref] : [this.#gone, -2 - ref]
    return list[index % list.length]
  }

  idOf(ref: Ref): string {
    return this.find(ref)?.id ?? 'unknown'
  }

  /** As `find`, but the first one goes by 0 alone: what most steps are about shall last a while. */
  findLater(ref: Ref): T | undefined {
    if (ref <= 0) return this.find(ref)
    return this.#there[1 + (ref % (this.#there.length - 1))]
  }

  /** As `idOf`, but the first one goes by 0 alone. */
  idOfLater(ref: Ref): string {
    return this.findLater(ref)?.id ?? 'unknown'
  }
}

interface KnownPerson {
  readonly id: string
  readonly email: string
  /** The token of the session that signing up opened. */
  readonly session: string
}

export interface KnownNode {
  readonly id: string
  readonly baseId: string
  readonly resourceId: string
  readonly resourceType: string
}

export interface KnownField {
  readonly id: string
  readonly name: string
  readonly dbFieldName: string
  readonly type: FieldTypeName
  readonly options: {
    readonly choices?: readonly { readonly name: string }[]
    readonly foreignTableId?: string
  }
  readonly cellValueType: CellValueType
  readonly isMultipleCellValue?: boolean | undefined
  readonly isLookup?: boolean | undefined
}

export interface KnownRecord extends Thing {
  /** What the primary field shows of it. */
  readonly name?: string | undefined
}

/** A table, with what a script has met of it. */
export class KnownTable {
  readonly id: string
  readonly baseId: string
  readonly fields = new EntityPool<KnownField>()
  readonly records = new EntityPool<KnownRecord>()
  readonly views = new EntityPool<Thing>()
  readonly cursors: string[] = []

  constructor(id: string, baseId: string) {
    this.id = id
    this.baseId = baseId
  }
}

/** What a script has met so far, on one storage. */
export class ScriptState {
  /** Tells this run's e-mail addresses and field ids from those of others: eight letters and digits. */
  readonly mark: string
  readonly people = new EntityPool<KnownPerson>()
  readonly spaces = new EntityPool<Thing>()
  readonly bases = new EntityPool<Thing & { readonly spaceId: string }>()
  readonly nodes = new EntityPool<KnownNode>()
  readonly tables = new EntityPool<KnownTable>()
  /** Nodes within workflows. */
  readonly flowNodes = new EntityPool<Thing & { readonly workflowId: string }>()
  readonly comments = new EntityPool<
    Thing & { readonly tableId: string; readonly recordId: string }
  >()
  readonly loginProviders = new EntityPool<Thing & { readonly spaceId: string }>()
  /** Sign-ins by a provider that have begun, with what the provider was given. */
  readonly signIns: {
    readonly providerId: string
    readonly flow: string
    readonly state: string
  }[] = []
  readonly identities = new EntityPool<Thing>()
  readonly invitationLinks = new EntityPool<Thing & { readonly code: string }>()
  readonly menuEntries = new EntityPool<Thing & { readonly tableId: string }>()
  readonly panels = new EntityPool<Thing & { readonly tableId: string }>()
  readonly pluginGrants = new EntityPool<Thing>()
  /** What plugins are installed, with the dashboard, panel or view that they are on. */
  readonly installs = new EntityPool<Thing & { readonly positionId: string }>()
  readonly plugins = new EntityPool<Thing & { readonly secret?: string }>()
  /** Codes for plugins, and tokens by which those get new ones. */
  readonly pluginCodes: {
    readonly pluginId: string
    readonly baseId: string
    readonly text: string
  }[] = []
  readonly pluginRefreshTokens: { readonly pluginId: string; readonly text: string }[] = []
  readonly oauthClients = new EntityPool<Thing>()
  readonly oauthSecrets = new EntityPool<
    Thing & { readonly clientId: string; readonly text: string }
  >()
  /** What apps asked, and codes and tokens that they got. */
  readonly oauthQuestions: { readonly clientId: string; readonly id: string }[] = []
  readonly oauthCodes: { readonly clientId: string; readonly text: string }[] = []
  readonly oauthRefreshTokens: { readonly clientId: string; readonly text: string }[] = []
  readonly tokens = new EntityPool<Thing & { readonly text: string }>()
  readonly sessions = new EntityPool<Thing>()
  /** Tokens of files that were uploaded. */
  readonly fileTokens: string[] = []
  /** Tokens of uploads that were awaited. */
  readonly uploadTokens: string[] = []
  /** What URLs of pictures that users uploaded end with, also of those that are gone. */
  readonly avatarPaths: string[] = []
  readonly imports = new EntityPool<Thing & { readonly baseId: string }>()
  /** What their URLs say. */
  readonly fileUrls: { readonly path: string; readonly token: string }[] = []
  readonly trash = new EntityPool<Thing>()
  readonly trashCursors: string[] = []
  readonly shares = new EntityPool<Thing & { readonly tableId: string }>()

  constructor(mark: string) {
    this.mark = mark
  }

  /** Notes the pictures that an answer shows, whichever it is: people are shown in many. */
  learnAvatars(answer: unknown): void {
    const shown = (JSON.stringify(answer) ?? '').matchAll(/\/user\/avatar\/([0-9A-Za-z]+)/g)
    for (const [, path = ''] of shown) {
      if (this.avatarPaths.at(-1) !== path) this.avatarPaths.push(path)
    }
  }

  dropSpace(spaceId: string): void {
    this.spaces.drop(spaceId)
    for (const base of this.bases.all) if (base.spaceId === spaceId) this.dropBase(base.id)
  }

  dropBase(baseId: string): void {
    this.bases.drop(baseId)
    for (const table of this.tables.all) if (table.baseId === baseId) this.dropResource(table.id)
    for (const node of this.nodes.all) if (node.baseId === baseId) this.nodes.drop(node.id)
  }

  /** A table, folder, dashboard or workflow is gone, and its node with it. */
  dropResource(resourceId: string): void {
    this.tables.drop(resourceId)
    for (const node of this.nodes.all) if (node.resourceId === resourceId) this.nodes.drop(node.id)
  }

  /** A node that an answer tells of, and the table it stands for. */
  addNode(baseId: string, { id, resourceId, resourceType }: Omit<KnownNode, 'baseId'>): void {
    this.nodes.add({ id, baseId, resourceId, resourceType })
    if (resourceType === 'table' && !this.tableOf(resourceId)) {
      this.tables.add(new KnownTable(resourceId, baseId))
    }
  }

  /** A node of one type, of those that are there; a negative one means one of any type that is gone. */
  nodeOfType(resourceType: ResourceType, ref: Ref): KnownNode | undefined {
    if (ref < 0) return this.nodes.find(ref)
    const meant = this.nodes.there.filter((node) => node.resourceType === resourceType)
    return meant[ref % meant.length]
  }

  /** The base that a table, folder, dashboard or workflow lies in, or the first one. */
  baseIdOf(resourceId: string): string {
    const node = this.nodes.all.find((node) => node.resourceId === resourceId)
    return node?.baseId ?? this.bases.idOf(0)
  }

  tableOf(tableId: unknown): KnownTable | undefined {
    return this.tables.all.find(({ id }) => id === tableId)
  }
}
