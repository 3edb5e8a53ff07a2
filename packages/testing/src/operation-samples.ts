import type { PlacedFeature, SamplesIn } from './operation-sample.ts'
import { aggregationSamples } from './operations/aggregations.ts'
import { archiveSamples } from './operations/archives.ts'
import { attachmentSamples } from './operations/attachments.ts'
import { baseSamples } from './operations/bases.ts'
import { billingSamples } from './operations/billing.ts'
import { chartSamples } from './operations/charts.ts'
import { collaboratorSamples } from './operations/collaborators.ts'
import { commentSamples } from './operations/comments.ts'
import { contextMenuSamples } from './operations/context-menus.ts'
import { dashboardSamples } from './operations/dashboards.ts'
import { exportSamples } from './operations/exports.ts'
import { fieldSamples } from './operations/fields.ts'
import { historySamples } from './operations/history.ts'
import { importSamples } from './operations/imports.ts'
import { invitationLinkSamples } from './operations/invitation-links.ts'
import { loginProviderSamples } from './operations/login-providers.ts'
import { pluginPanelSamples } from './operations/plugin-panels.ts'
import { pluginViewSamples } from './operations/plugin-views.ts'
import { recordSamples } from './operations/records.ts'
import { selectionSamples } from './operations/selections.ts'
import { spaceSamples } from './operations/spaces.ts'
import { tableSamples } from './operations/tables.ts'
import { trashSamples } from './operations/trash.ts'
import { treeSamples } from './operations/tree.ts'
import { undoSamples } from './operations/undo.ts'
import { viewSamples } from './operations/views.ts'
import { workflowSamples } from './operations/workflows.ts'
import type { Cast, Place } from './place.ts'

/** A sample of every operation of those features. */
export function samplesIn(
  place: Place,
  cast: Cast,
): { readonly [Feature in PlacedFeature]: ReturnType<SamplesIn<Feature>> } {
  return {
    spaces: spaceSamples(place, cast),
    billing: billingSamples(place, cast),
    loginProviders: loginProviderSamples(place, cast),
    bases: baseSamples(place, cast),
    archives: archiveSamples(place, cast),
    collaborators: collaboratorSamples(place, cast),
    invitationLinks: invitationLinkSamples(place, cast),
    tree: treeSamples(place, cast),
    dashboards: dashboardSamples(place, cast),
    tables: tableSamples(place, cast),
    pluginPanels: pluginPanelSamples(place, cast),
    contextMenus: contextMenuSamples(place, cast),
    fields: fieldSamples(place, cast),
    records: recordSamples(place, cast),
    history: historySamples(place, cast),
    comments: commentSamples(place, cast),
    undo: undoSamples(place, cast),
    views: viewSamples(place, cast),
    pluginViews: pluginViewSamples(place, cast),
    aggregations: aggregationSamples(place, cast),
    charts: chartSamples(place, cast),
    exports: exportSamples(place, cast),
    selections: selectionSamples(place, cast),
    attachments: attachmentSamples(place, cast),
    imports: importSamples(place, cast),
    trash: trashSamples(place, cast),
    workflows: workflowSamples(place, cast),
  }
}
