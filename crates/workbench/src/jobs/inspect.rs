//! The job that parses a model and its queries, and lists its contents.
//!
//! No engine runs, so a well-formed query that no engine supports is not an error here.

use tempora_evidence::{System, SystemKind, Task};
use tempora_frontends::LoweredModel;
use tempora_model::{Network, Process, Query, print_network};
use tempora_report::documents::{
    ChannelRecord, DocumentVersion, InspectionDocument, ProcessRecord, QueryRecord, TemplateRecord,
    VariableRecord,
};
use tempora_report::{ChannelWord, VariableWord};
use tempora_smt::print_sort;
use tempora_transition::{SymbolicSystem, print_system};

use super::{Job, JobContext, ModelRequest, Refused};
use crate::engines::{QuerySupport, engines_for, support_of};
use crate::loading::Loaded;
use crate::summary::{
    ChannelSummary, ChannelSummaryKind, TemplateSummary, VariableSummary, VariableSummaryKind, summarise,
};

/// A request to list the contents of a model.
#[derive(Clone, Debug)]
pub struct InspectRequest {
    /// The model.
    pub model: ModelRequest,
    /// Queries to type-check, in addition to the model's own.
    pub queries: Vec<String>,
    /// Whether to print the lowered system.
    pub ir: bool,
}

/// The contents of a model.
#[derive(Clone, Debug)]
pub struct InspectOutcome {
    /// The contents.
    pub document: InspectionDocument,
    /// The enumerations of a symbolic system, with their values.
    pub types: Vec<(String, Vec<String>)>,
    /// The kind of the system.
    pub kind: SystemKind,
}

impl Job for InspectRequest {
    type Outcome = InspectOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<InspectOutcome, Refused> {
        let loaded = context.open_system(&self.model)?;
        if let Some(model) = &loaded.lowered {
            return self.inspect_lowered(&loaded, &**model, context);
        }
        if loaded.symbolic().is_some() {
            let task = context.accepted(loaded.read_task(&self.queries))?.value;
            let system = task.system.symbolic().ok_or_else(Refused::default)?;
            let queries = system.properties.iter().map(|property| property.text.clone());
            return Ok(self.inspect_system(&loaded, system, queries.collect()));
        }
        let typed = context.accepted(loaded.read_queries(&self.queries))?.value;
        let queries = loaded.queries.iter().cloned().chain(typed).collect();
        let task = loaded.task(queries).ok_or_else(Refused::default)?;
        let network = task.system.network().ok_or_else(Refused::default)?;
        Ok(self.about_network(&loaded, &task, network))
    }
}

impl InspectRequest {
    /// Returns the contents of a lowered system, with the queries of the original model.
    fn inspect_lowered(
        &self,
        loaded: &Loaded,
        model: &dyn LoweredModel,
        context: &JobContext<'_>,
    ) -> Result<InspectOutcome, Refused> {
        let typed = context.accepted(loaded.read_plans(&self.queries))?.value;
        let typed = if self.queries.is_empty() { Vec::new() } else { typed };
        let mut outcome = match model.system() {
            System::Symbolic(system) => self.inspect_system(loaded, system, Vec::new()),
            System::Network(network) => {
                self.about_network(loaded, &Task::about_network(network.clone(), Vec::new()), network)
            }
        };
        let engines: Vec<&str> = engines_for(outcome.kind).map(|engine| engine.name).collect();
        outcome.document.queries = model
            .plans()
            .into_iter()
            .chain(typed)
            .map(|plan| QueryRecord { query: plan.text, engines: engines.clone(), declined: Vec::new() })
            .collect();
        Ok(outcome)
    }

    fn about_network(&self, loaded: &Loaded, task: &Task, network: &Network) -> InspectOutcome {
        let contents = summarise(network);
        let template = |template: TemplateSummary| TemplateRecord {
            name: template.name,
            processes: template.processes,
            locations: template.locations,
            edges: template.edges,
        };
        let process = |process: &Process| ProcessRecord {
            name: process.name.clone(),
            template: process.template.clone(),
            locations: process.locations.len(),
            edges: process.edges.len(),
        };
        let variable = |variable: VariableSummary| VariableRecord {
            name: variable.name,
            kind: variable_word(variable.kind),
            type_text: variable.type_text,
            initial: variable.initial,
            cells: variable.cells,
        };
        let channel = |channel: ChannelSummary| ChannelRecord {
            name: channel.name,
            kind: channel_word(channel.kind),
            cells: channel.cells,
            senders: channel.senders,
            receivers: channel.receivers,
        };
        let query = |(query, support): (&Query, QuerySupport)| QueryRecord {
            query: query.text.clone(),
            engines: support.engines,
            declined: support.reasons,
        };
        let document = InspectionDocument {
            version: DocumentVersion,
            model: self.model.path.clone(),
            language: language_of(loaded),
            templates: contents.templates.into_iter().map(template).collect(),
            processes: network.processes.values().map(process).collect(),
            variables: contents.variables.into_iter().map(variable).collect(),
            channels: contents.channels.into_iter().map(channel).collect(),
            features: contents.features,
            not_answered: contents.omissions,
            queries: task.queries.iter().zip(support_of(task)).map(query).collect(),
            ir: self.ir.then(|| print_network(network)),
        };
        InspectOutcome { document, types: Vec::new(), kind: SystemKind::Network }
    }

    fn inspect_system(
        &self,
        loaded: &Loaded,
        system: &SymbolicSystem,
        queries: Vec<String>,
    ) -> InspectOutcome {
        let variables = system.variables.iter().map(|(id, variable)| VariableRecord {
            name: variable.name.clone(),
            kind: variable.role.into(),
            type_text: print_sort(&system.store, system.sort_of(id)),
            initial: String::new(),
            cells: 1,
        });
        let engines: Vec<&str> = engines_for(SystemKind::Symbolic).map(|engine| engine.name).collect();
        let queries = queries.into_iter().map(|query| QueryRecord {
            query,
            engines: engines.clone(),
            declined: Vec::new(),
        });
        let process = ProcessRecord {
            name: "system".to_owned(),
            template: "system".to_owned(),
            locations: system.locations.len(),
            edges: system.edges.len(),
        };
        let document = InspectionDocument {
            version: DocumentVersion,
            model: self.model.path.clone(),
            language: language_of(loaded),
            templates: Vec::new(),
            processes: vec![process],
            variables: variables.collect(),
            channels: Vec::new(),
            features: Vec::new(),
            not_answered: Vec::new(),
            queries: queries.collect(),
            ir: self.ir.then(|| print_system(system)),
        };
        let enumerations = system.store.enumerations();
        let types = enumerations.map(|(_, one)| (one.name.clone(), one.literals.clone())).collect();
        InspectOutcome { document, types, kind: SystemKind::Symbolic }
    }
}

fn language_of(loaded: &Loaded) -> String {
    loaded.language.map_or("", |language| language.name).to_owned()
}

fn variable_word(kind: VariableSummaryKind) -> VariableWord {
    match kind {
        VariableSummaryKind::Constant => VariableWord::Constant,
        VariableSummaryKind::Clock => VariableWord::Clock,
        VariableSummaryKind::HybridClock => VariableWord::HybridClock,
        VariableSummaryKind::Meta => VariableWord::Meta,
        VariableSummaryKind::Data => VariableWord::Data,
    }
}

fn channel_word(kind: ChannelSummaryKind) -> ChannelWord {
    match kind {
        ChannelSummaryKind::Binary => ChannelWord::Binary,
        ChannelSummaryKind::Broadcast => ChannelWord::Broadcast,
        ChannelSummaryKind::Urgent => ChannelWord::Urgent,
        ChannelSummaryKind::UrgentBroadcast => ChannelWord::UrgentBroadcast,
    }
}
