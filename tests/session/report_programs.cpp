#include "tests/session/report_programs.hpp"

#include <nlohmann/json.hpp>

#include "engine/session/report/report.hpp"
#include "engine/trellis.hpp"

namespace trellis::testing {

Json model_of(const std::string& program) {
  session::Session session({});
  const auto fed = session.feed("program.tr", program, session::Session::Extent::data, [](const session::Reply&) {});
  return session::report_model(session.state(), {}, fed.source);
}

Json model_said_of(const std::string& program) {
  session::Session session({});
  session::ReportOptions options;
  const auto fed = session.feed("program.tr", program, session::Session::Extent::data,
                                [&](const session::Reply& reply) { options.said.append(reply.diagnostics); });
  return session::report_model(session.state(), options, fed.source);
}

std::string page_of(const std::string& program) {
  session::Session session({});
  const auto fed = session.feed("program.tr", program, session::Session::Extent::data, [](const session::Reply&) {});
  return session::report(session.state(), {}, fed.source);
}

}  // namespace trellis::testing
