import type { Timestamp } from '../clock.ts'
import type { ResourceType } from '../tree/tree-node.ts'

/** Everything that can happen, by its name, with what a listener needs to look it up. */
export interface EventPayloads {
  'user.signed_up': { readonly userId: string }
  'user.updated': { readonly userId: string }
  'user.deleted': { readonly userId: string }
  'space.created': { readonly spaceId: string }
  'space.updated': { readonly spaceId: string }
  'space.deleted': { readonly spaceId: string }
  'base.created': { readonly spaceId: string; readonly baseId: string }
  'base.updated': { readonly spaceId: string; readonly baseId: string }
  'base.deleted': { readonly spaceId: string; readonly baseId: string }
  'collaborator.added': CollaboratorPayload
  'collaborator.updated': CollaboratorPayload
  'collaborator.removed': CollaboratorPayload
  'node.created': NodePayload
  'node.updated': NodePayload
  'node.moved': NodePayload
  'node.deleted': NodePayload
  'dashboard.updated': { readonly baseId: string; readonly dashboardId: string }
  'plugin_panel.created': PluginPanelPayload
  'plugin_panel.updated': PluginPanelPayload
  'plugin_panel.deleted': PluginPanelPayload
  'plugin_install.created': PluginInstallPayload
  'plugin_install.updated': PluginInstallPayload
  'plugin_install.deleted': PluginInstallPayload
  'table.created': { readonly tableId: string }
  'table.updated': { readonly tableId: string }
  'table.deleted': { readonly tableId: string }
  'field.created': { readonly tableId: string; readonly fieldId: string }
  'field.updated': { readonly tableId: string; readonly fieldId: string }
  'field.deleted': { readonly tableId: string; readonly fieldId: string }
  'view.created': ViewPayload
  'view.updated': ViewPayload
  'view.deleted': ViewPayload
  'workflow.updated': { readonly baseId: string; readonly workflowId: string }
  'record.created': { readonly tableId: string; readonly recordIds: readonly string[] }
  'record.updated': { readonly tableId: string; readonly recordIds: readonly string[] }
  'record.deleted': { readonly tableId: string; readonly recordIds: readonly string[] }
  'comment.created': CommentPayload
  'comment.updated': CommentPayload
  'comment.deleted': CommentPayload
  'calculation.scheduled': CalculationPayload
  'calculation.finished': CalculationPayload
  'import.started': ImportPayload
  'import.finished': ImportPayload
}

interface PluginPanelPayload {
  readonly tableId: string
  readonly pluginPanelId: string
}

interface PluginInstallPayload {
  readonly baseId: string
  /** The dashboard, panel, view or table that it is put on. */
  readonly positionId: string
  readonly pluginInstallId: string
}

interface ImportPayload {
  readonly importId: string
  readonly tableId: string
}

interface CommentPayload {
  readonly tableId: string
  readonly recordId: string
  readonly commentId: string
}

interface CalculationPayload {
  readonly tableId: string
  readonly fieldIds: readonly string[]
}

interface ViewPayload {
  readonly tableId: string
  readonly viewId: string
}

interface CollaboratorPayload {
  readonly resourceType: 'space' | 'base'
  readonly resourceId: string
  readonly userId: string
}

interface NodePayload {
  readonly baseId: string
  readonly nodeId: string
  readonly resourceType: ResourceType
  readonly resourceId: string
}

/** What happened, as listeners ask for it. */
export type EventName = keyof EventPayloads

/** Something that happened, in the past tense, told after it is durable. */
export type DomainEvent = {
  readonly [Name in EventName]: {
    readonly name: Name
    readonly time: Timestamp
    /** Who did it; absent for the product itself. */
    readonly userId?: string
    readonly payload: EventPayloads[Name]
  }
}[EventName]
