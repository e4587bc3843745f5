#include "simt/runtime/graph/graph.hpp"

#include "simt/runtime/machine/reset.hpp"

#include <algorithm>
#include <set>

namespace simt {

namespace {

std::uint64_t last_number = 0;
// In functions, because objects of a program at namespace scope may outlive them otherwise.
std::set<const CUgraph_st*>& graphs() {
  static auto* const all = new std::set<const CUgraph_st*>;
  return *all;
}
std::set<const CUgraphNode_st*>& nodes() {
  static auto* const all = new std::set<const CUgraphNode_st*>;
  return *all;
}
std::set<const CUuserObject_st*>& user_objects() {
  static auto* const all = new std::set<const CUuserObject_st*>;
  return *all;
}

std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>>& of_program() {
  static auto* const all = new std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>>;
  return *all;
}
const OnReset destroy_graphs([] { of_program().clear(); });

constexpr cudaGraphNodeType types[] = {
    cudaGraphNodeTypeKernel,    cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,      cudaGraphNodeTypeGraph,       cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeMemAlloc,
    cudaGraphNodeTypeMemFree,   cudaGraphNodeTypeConditional};
static_assert(std::size(types) == std::variant_size_v<Work>);

} // namespace

cudaGraphNodeType type_of(const Work& work) { return types[work.index()]; }

Work copy_of(const Work& work) {
  Work copy = work;
  if (auto* child = std::get_if<ChildWork>(&copy)) {
    child->graph = child->graph->clone();
    child->graph->is_child = true;
  }
  if (auto* condition = std::get_if<ConditionalWork>(&copy)) {
    condition->told.clear();
    for (auto& body : condition->bodies) {
      body = body->clone();
      body->is_child = true;
      condition->told.push_back(body.get());
    }
  }
  return copy;
}

std::vector<std::shared_ptr<CUgraph_st>> graphs_within(const Work& work) {
  if (const auto* child = std::get_if<ChildWork>(&work)) return {child->graph};
  if (const auto* condition = std::get_if<ConditionalWork>(&work)) return condition->bodies;
  return {};
}

void UserObjects::hold_as(const UserObjects& other) {
  for (const auto& [object, count] : other.held_) {
    object->retain(count);
    add(object, count);
  }
}

UserObjects::~UserObjects() {
  for (const auto& [object, count] : held_)
    if (is_user_object(object)) object->release(count);
}

bool UserObjects::release(cudaUserObject_t object, unsigned count) {
  const auto found = held_.find(object);
  if (found == held_.end() || found->second < count) return false;
  found->second -= count;
  if (found->second == 0) held_.erase(found);
  return object->release(count);
}

cudaGraph_t give_to_program(std::shared_ptr<CUgraph_st> graph) {
  const cudaGraph_t handle = graph.get();
  of_program()[handle] = std::move(graph);
  return handle;
}
std::shared_ptr<CUgraph_st> graph_of_program(cudaGraph_t graph) {
  const auto found = of_program().find(graph);
  return found == of_program().end() ? nullptr : found->second;
}
void take_from_program(cudaGraph_t graph) { of_program().erase(graph); }

bool is_graph(cudaGraph_t graph) { return graphs().contains(graph); }
bool is_node(cudaGraphNode_t node) { return nodes().contains(node); }
bool is_user_object(cudaUserObject_t object) { return user_objects().contains(object); }

} // namespace simt

using namespace simt;

CUuserObject_st::CUuserObject_st(void* data, cudaHostFn_t destroy, unsigned references)
    : data_(data), destroy_(destroy), references_(references) {
  user_objects().insert(this);
}

bool CUuserObject_st::release(unsigned count) {
  if (count > references_) return false;
  references_ -= count;
  if (references_ > 0) return true;
  user_objects().erase(this);
  destroy_(data_);
  delete this;
  return true;
}

CUgraphNode_st::CUgraphNode_st(CUgraph_st* owner, Work what)
    : graph(owner), work(std::move(what)), number(++last_number) {
  ::nodes().insert(this);
}

CUgraphNode_st::~CUgraphNode_st() { ::nodes().erase(this); }

bool CUgraphNode_st::depends_on(const CUgraphNode_st* node) const {
  return std::ranges::any_of(incoming, [&](const Edge& edge) { return edge.from == node; });
}

CUgraph_st::CUgraph_st() : number(++last_number) { graphs().insert(this); }

CUgraph_st::~CUgraph_st() { graphs().erase(this); }

CUgraphNode_st* CUgraph_st::add(Work work, const std::vector<Edge>& incoming) {
  CUgraphNode_st* node = nodes.emplace_back(std::make_unique<CUgraphNode_st>(this, std::move(work))).get();
  for (const Edge& edge : incoming)
    if (!node->depends_on(edge.from)) node->incoming.push_back(edge);
  return node;
}

void CUgraph_st::remove(CUgraphNode_st* node) {
  for (const auto& other : nodes)
    std::erase_if(other->incoming, [&](const Edge& edge) { return edge.from == node; });
  std::erase_if(nodes, [&](const auto& other) { return other.get() == node; });
}

bool CUgraph_st::has_node(bool (*applies)(const Work& work)) const {
  return std::ranges::any_of(nodes, [&](const auto& node) {
    return applies(node->work) || std::ranges::any_of(graphs_within(node->work), [&](const auto& graph) {
             return graph->has_node(applies);
           });
  });
}

bool CUgraph_st::has_memory_nodes() const {
  return has_node([](const Work& work) {
    return std::holds_alternative<AllocateWork>(work) || std::holds_alternative<FreeWork>(work);
  });
}

bool CUgraph_st::has_conditional_nodes() const {
  return has_node([](const Work& work) { return std::holds_alternative<ConditionalWork>(work); });
}

std::unique_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto copy = std::make_unique<CUgraph_st>();
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : nodes) {
    CUgraphNode_st* added = copy->add(copy_of(node->work), {});
    added->cloned_from = node->number;
    added->enabled = node->enabled;
    copies[node.get()] = added;
  }
  for (const auto& node : nodes)
    for (const Edge& edge : node->incoming)
      copies[node.get()]->incoming.push_back({copies[edge.from], edge.data});
  copy->objects.hold_as(objects);
  copy->cloned_from = number;
  return copy;
}

CUgraphNode_st* CUgraph_st::find_copy(std::uint64_t wanted) const {
  for (const auto& node : nodes) {
    if (node->cloned_from == wanted) return node.get();
    for (const auto& graph : graphs_within(node->work))
      if (CUgraphNode_st* found = graph->find_copy(wanted)) return found;
  }
  return nullptr;
}
