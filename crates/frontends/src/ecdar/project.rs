//! Reads a project folder: its components, declarations and queries.
//!
//! Invariant: any of the files may be missing. The components are the processes of the network, in the order of the
//! files.

use std::sync::Arc;

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span, decode_json_string};
use tempora_syntax::{ast, parse_declarations, parse_query};

use super::codes::NO_PROJECT;
use super::component::read_component;
use super::json::{Json, JsonKind, read_json};
use super::parts::ProjectDocument;
use super::system::read_system;
use crate::uppaal::demoted;
use crate::workspace::inside;
use crate::{
    ComponentLayout, Document, FolderPart, FolderReader, Language, Reader, Reading, Workspace, Written,
};

/// The role of a file in a project.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProjectRole {
    /// One automaton.
    Component,
    /// The channels.
    GlobalDeclarations,
    /// The queries.
    Queries,
    /// The list of components and their actions, which repeats the components' own content.
    SystemDeclarations,
    /// A drawing of an expression.
    System,
    /// A test plan, which is ignored and kept.
    Test,
}

/// The files and layouts of a project, for writing it back.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Its files.
    pub files: Vec<ProjectFile>,
    /// The layouts of its components.
    pub layouts: Vec<ComponentLayout>,
}

/// A file of a project.
#[derive(Clone, Copy, Debug)]
pub struct ProjectFile {
    /// Its role.
    pub role: ProjectRole,
    /// Its text.
    pub file: FileId,
}

/// The registry entry for project folders.
pub(crate) static PROJECT: Language = Language::new(
    "ecdar",
    "Ecdar's project folders",
    &[],
    Reader::Folder(FolderReader { recognises, files: project_files, is_addition, read: read_folder }),
);

/// The subfolder by which a project is recognised.
const COMPONENTS_FOLDER: &str = "Components";

fn is_addition(path: &str) -> bool {
    path.strip_prefix(COMPONENTS_FOLDER).is_some_and(|rest| rest.starts_with('/'))
}

fn recognises(workspace: &dyn Workspace, folder: &str) -> bool {
    workspace.is_folder(&inside(folder, COMPONENTS_FOLDER))
}

/// Returns the paths of a project's files, sorted.
fn project_files(workspace: &dyn Workspace, folder: &str) -> Vec<String> {
    let mut paths: Vec<String> =
        ["GlobalDeclarations.json", "SystemDeclarations.json", "Queries.json"].map(str::to_owned).to_vec();
    for inner in [COMPONENTS_FOLDER, "Systems", "Tests"] {
        let names = workspace.list(&inside(folder, inner)).unwrap_or_default();
        paths.extend(names.into_iter().map(|name| format!("{inner}/{name}")));
    }
    paths.retain(|path| role_of_file(path).is_some() && workspace.is_file(&inside(folder, path)));
    paths.sort();
    paths
}

fn read_folder(reading: &mut Reading<'_>, name: &str, parts: &[FolderPart]) -> Result<Written, Diagnostic> {
    let files = parts.iter().filter_map(|part| {
        let role = role_of_file(&part.path)?;
        Some(ProjectFile { role, file: part.file })
    });
    let project: Vec<ProjectFile> = files.collect();
    match project.iter().find(|part| part.role == ProjectRole::Component) {
        Some(first) => Ok(read_project(reading.files, first.file, &project)),
        None => {
            let message = format!("`{name}` is not an Ecdar project: it has no components");
            let hint = "an Ecdar project has a folder `Components` with a file for each component";
            Err(Diagnostic::error(&NO_PROJECT, message).with_hint(hint))
        }
    }
}

/// Returns the role of a file by its path in the project folder; `None` for other files.
pub fn role_of_file(path: &str) -> Option<ProjectRole> {
    let path = path.replace('\\', "/");
    match path.as_str() {
        "GlobalDeclarations.json" => return Some(ProjectRole::GlobalDeclarations),
        "SystemDeclarations.json" => return Some(ProjectRole::SystemDeclarations),
        "Queries.json" => return Some(ProjectRole::Queries),
        _ => {}
    }
    let (folder, file) = path.split_once('/')?;
    if !file.ends_with(".json") || file.contains('/') {
        return None;
    }
    match folder {
        "Components" => Some(ProjectRole::Component),
        "Systems" => Some(ProjectRole::System),
        "Tests" => Some(ProjectRole::Test),
        _ => None,
    }
}

impl ProjectFile {
    /// Returns its path in the project folder.
    pub(super) fn path(&self, files: &Files) -> String {
        let name = files.name(self.file);
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let folder = match self.role {
            ProjectRole::Component => "Components/",
            ProjectRole::System => "Systems/",
            ProjectRole::Test => "Tests/",
            ProjectRole::GlobalDeclarations | ProjectRole::SystemDeclarations | ProjectRole::Queries => "",
        };
        format!("{folder}{name}")
    }
}

/// Reads a project; the first file represents the whole project.
pub(crate) fn read_project(files: &mut Files, first: FileId, project: &[ProjectFile]) -> Written {
    let mut diagnostics = Diagnostics::new();
    let mut declarations = Vec::new();
    let mut processes: Vec<ast::ProcessDeclaration> = Vec::new();
    let mut channels: Vec<String> = Vec::new();
    let mut queries = Vec::new();
    let mut layouts = Vec::new();
    let mut systems = Vec::new();
    for part in project {
        // The model does not depend on these files.
        if matches!(part.role, ProjectRole::SystemDeclarations | ProjectRole::Test) {
            continue;
        }
        let json = match read_json(files, part.file) {
            Ok(json) => json,
            Err(fault) => {
                diagnostics.push(fault);
                continue;
            }
        };
        match part.role {
            ProjectRole::Component => {
                if let Some(component) = read_component(files, part.file, &json, &mut diagnostics) {
                    channels.extend(component.channels);
                    layouts.push(component.layout);
                    processes.push(component.process);
                }
            }
            ProjectRole::GlobalDeclarations => {
                if let Some(text) = embedded(files, &json, "declarations", &mut diagnostics) {
                    let parsed = parse_declarations(files, text);
                    diagnostics.extend(parsed.diagnostics);
                    declarations.extend(parsed.tree);
                }
            }
            ProjectRole::Queries => {
                for row in json.items() {
                    let Some(text) = embedded(files, row, "query", &mut diagnostics) else { continue };
                    let parsed = parse_query(files, text);
                    let has_errors = parsed.diagnostics.has_errors();
                    diagnostics.extend(parsed.diagnostics.into_iter().map(demoted));
                    if !has_errors && !matches!(parsed.tree.kind, ast::QueryKind::Empty) {
                        queries.push(ast::QueryItem {
                            title: title_of(files, row, parsed.tree.span),
                            span: parsed.tree.span,
                            query: parsed.tree,
                        });
                    }
                }
            }
            ProjectRole::System => systems.extend(read_system(files, &json, &mut diagnostics)),
            ProjectRole::SystemDeclarations | ProjectRole::Test => {}
        }
    }
    // Only old projects declare their channels.
    let declared: Vec<String> = declarations.iter().flat_map(declared_names).collect();
    channels.sort();
    channels.dedup();
    channels.retain(|channel| !declared.contains(channel));
    if !channels.is_empty()
        && let Ok(file) = files.add("channels of the project", "broadcast chan c;")
    {
        // Channel names can be any texts, so each replaces the name in a parsed declaration.
        for mut declaration in parse_declarations(files, file).tree {
            if let ast::DeclarationKind::Variables(variables) = &mut declaration.kind
                && let Some(declarator) = variables.declarators.pop()
            {
                variables.declarators.extend(channels.iter().map(|channel| {
                    let mut named = declarator.clone();
                    named.name.text.clone_from(channel);
                    named
                }));
            }
            declarations.push(declaration);
        }
    }
    let references: Vec<ast::ProcessReference> = processes
        .iter()
        .map(|process| ast::ProcessReference {
            name: process.name.clone(),
            arguments: None,
            span: process.name.span,
        })
        .collect();
    for process in processes {
        let span = process.span;
        let kind = ast::DeclarationKind::Process(Box::new(process));
        declarations.push(ast::Declaration { kind, span });
    }
    declarations.extend(systems);
    if let Some(first) = references.first() {
        let span = first.span;
        let kind = ast::DeclarationKind::System(ast::SystemLine { levels: vec![references] });
        declarations.push(ast::Declaration { kind, span });
    }
    if let Some(first) = queries.first() {
        let span = first.span;
        declarations.push(ast::Declaration { kind: ast::DeclarationKind::Queries(queries), span });
    }
    let span = files.whole(first);
    let project = Project { files: project.to_vec(), layouts };
    let document = Box::new(move |tree| Arc::new(ProjectDocument { tree, project }) as Arc<dyn Document>);
    Written { tree: ast::Network { declarations, span }, document, diagnostics }
}

fn embedded(files: &mut Files, json: &Json, member: &str, diagnostics: &mut Diagnostics) -> Option<FileId> {
    let Some(JsonKind::Text(raw)) = json.get(member).map(|value| &value.kind) else { return None };
    let (text, faults) = decode_json_string(files, *raw);
    diagnostics.extend(faults);
    (!text.text().trim().is_empty()).then(|| files.add_embedded(member, text))
}

/// Returns the comment on a query as its title, if it needs no escapes.
fn title_of(files: &Files, row: &Json, span: Span) -> Option<ast::StringLiteral> {
    let text = row.text_of(files, "comment");
    let is_plain = !text.trim().is_empty() && !text.contains(['"', '\\', '\n', '\r']);
    is_plain.then_some(ast::StringLiteral { text, span })
}

fn declared_names(declaration: &ast::Declaration) -> Vec<String> {
    match &declaration.kind {
        ast::DeclarationKind::Variables(variables) => {
            variables.declarators.iter().map(|declarator| declarator.name.text.clone()).collect()
        }
        _ => Vec::new(),
    }
}
