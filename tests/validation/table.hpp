// SPDX-License-Identifier: MIT
// Reads reference tables that are kept beside the repository: CSV files with a header line.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace capstan::validation {

// The cells of a row, by column name; a cell may be quoted.
using TextRecord = std::map<std::string, std::string>;
using Record = std::map<std::string, double>;

// Reads a table without its comment lines. The result is empty if there is no such file.
inline std::vector<TextRecord> textTable([[maybe_unused]] const std::string& name) {
    std::vector<TextRecord> records;
#ifdef CAPSTAN_SHARED_DIR
    std::ifstream file(std::string(CAPSTAN_SHARED_DIR) + "/validation/data/" + name);
    std::vector<std::string> header;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> cells = {""};
        bool quoted = false;
        for (char c : line) {
            if (c == '"')
                quoted = !quoted;
            else if (c == ',' && !quoted)
                cells.emplace_back();
            else
                cells.back() += c;
        }
        if (header.empty()) {
            header = cells;
            continue;
        }
        TextRecord record;
        for (std::size_t i = 0; i < cells.size() && i < header.size(); ++i) record[header[i]] = cells[i];
        records.push_back(record);
    }
#endif
    return records;
}

// Reads a table as numbers.
inline std::vector<Record> table(const std::string& name) {
    std::vector<Record> records;
    for (const TextRecord& row : textTable(name)) {
        Record record;
        for (const auto& [column, cell] : row) record[column] = std::strtod(cell.c_str(), nullptr);
        records.push_back(record);
    }
    return records;
}

#define TABLE_OR_SKIP(rows, name)                                                                            \
    const std::vector<Record> rows = table(name);                                                            \
    if (rows.empty()) GTEST_SKIP() << "no table " << name

inline void near(double got, double expected, double relative) {
    EXPECT_NEAR(got, expected, relative * std::abs(expected));
}

} // namespace capstan::validation
